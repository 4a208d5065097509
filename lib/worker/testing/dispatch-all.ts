import { dispatchOnce } from "@/lib/worker/dispatcher"
import { hasUndispatched } from "@/lib/worker/dispatcher-sql"

/** Dispatches until no event waits, beside other dispatchers too. */
export async function dispatchAll(): Promise<void> {
  while (await hasUndispatched()) await dispatchOnce()
}
