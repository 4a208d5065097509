import { setFlagsFromString } from "node:v8"
import { runInNewContext } from "node:vm"

/** Collects all garbage of this process now. */
export function collectGarbage(): void {
  setFlagsFromString("--expose-gc")
  const collect = runInNewContext("gc") as () => void
  collect()
}
