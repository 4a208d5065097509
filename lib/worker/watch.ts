import type pg from "pg"
import { newClient } from "@/lib/platform/database/client"
import { env } from "@/lib/platform/env/env"
import { workChannel } from "@/lib/platform/jobs/notifications"
import { runRepeatedly } from "@/lib/platform/jobs/leases"
import { Rest, setWatched, wake } from "@/lib/platform/jobs/quiet"
import { dueWithin } from "@/lib/worker/watch-sql"

export const watchName = "mailroom watch"

const lookEveryMs = 1_000
/** Where nothing was announced for a minute, nobody writes what comes due in a moment. */
const lookWhenIdleMs = 5_000
const idleAfterMs = 60_000
const shortestMs = 100

/**
 * Wakes the loops of this process: for what others announce (`notifications.ts`), and for what comes due. While the database
 * does not answer they poll. Until the signal aborts; never rejects.
 */
export function runWatch(signal: AbortSignal): Promise<void> {
  return runRepeatedly({
    name: "watch",
    round: () => watch(signal).then(() => false),
    intervalMs: 0,
    failurePauseMaxMs: 1_000,
    signal,
  })
}

/** Over one connection, until the signal aborts. @throws when the connection is lost */
async function watch(signal: AbortSignal): Promise<void> {
  const client = newClient(env().databaseUrl, watchName)
  const rest = new Rest(watchName, signal)
  client.on("notification", () => wake())
  // The next look fails.
  client.on("error", () => rest.wake())
  try {
    await client.connect()
    // Plans are kept, and tables that are empty today would be scanned when they have grown.
    await client.query(`SET enable_seqscan = off; LISTEN ${workChannel}`)
    // All look once, for what was announced before this connection could hear it.
    setWatched(true)
    await wakeInTime(client, rest, signal)
  } finally {
    setWatched(false)
    rest.close()
    await client.end().catch(() => undefined)
  }
}

async function wakeInTime(client: pg.Client, rest: Rest, signal: AbortSignal): Promise<void> {
  let restMs = lookEveryMs
  let wokenAt = performance.now()
  while (!signal.aborted) {
    rest.look()
    const longestMs = performance.now() - wokenAt > idleAfterMs ? lookWhenIdleMs : lookEveryMs
    const soon = await dueWithin(longestMs, client)
    for (const { loop, inMs } of soon) setTimeout(wake, Math.max(0, inMs), loop).unref()
    // What stays due, such as email of a project that is suspended, is looked at less and less often.
    restMs = soon.some(({ inMs }) => inMs <= 0) ? Math.min(longestMs, 2 * restMs) : longestMs
    if (await rest.rest(shortestMs, restMs)) {
      restMs = shortestMs
      wokenAt = performance.now()
    }
  }
}
