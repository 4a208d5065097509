import { setTimeout as wait } from "node:timers/promises"
import { isUnavailable } from "@/lib/platform/database/sql-errors"

const pauseMs = 250

/**
 * Writes how work outside of the database has ended, such as that a server took a message: what is not written is done a second
 * time. While the database takes no writes, it is tried again and again, until `signal` aborts: then the lease is lost or the
 * time to drain is over.
 */
export async function untilWritten<T>(write: () => Promise<T>, signal: AbortSignal): Promise<T> {
  for (;;) {
    try {
      return await write()
    } catch (error) {
      if (!isUnavailable(error) || signal.aborted) throw error
      await wait(pauseMs)
    }
  }
}
