import { setPriority } from "node:os"

/** Of -20 to 19, where 0 is usual. */
const lowPriority = 10

/** On a machine without a free core, whoever waits for a page or sends an email comes before this process. */
export function yieldToOthers(pid: number): void {
  try {
    setPriority(pid, lowPriority)
  } catch {
    // It has ended already, or the system does not allow it: then it is as important as the others.
  }
}
