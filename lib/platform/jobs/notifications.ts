import pg from "pg"
import { newClient } from "@/lib/platform/database/client"
import { byShards, databaseIsOpen, pool } from "@/lib/platform/database/db"
import { env } from "@/lib/platform/env/env"
import { log } from "@/lib/platform/log"

const reconnectAfterMs = 1_000
/** A connection that only listens never learns that it leads nowhere. */
const askEveryMs = 5_000

/**
 * Listens for NOTIFY on a channel over a connection of its own, which is reopened when it breaks. A notification is only
 * a wake-up: one may be lost while the connection is down, so a listener also polls now and then.
 */
export function listen(channel: string, onNotification: (payload: string) => void): { close(): Promise<void> } {
  let client: pg.Client | undefined
  let closed = false

  async function connect() {
    if (closed) return
    const opened = newClient(env().databaseUrl, `mailroom ${channel}${byShards}`)
    client = opened
    opened.on("notification", ({ payload }) => onNotification(payload ?? ""))
    opened.on("error", (error) => log.warn({ err: error, channel }, "the connection for notifications was lost"))
    opened.on("end", retry)
    try {
      await opened.connect()
      await opened.query(`LISTEN ${pg.escapeIdentifier(channel)}`)
      onNotification("")
      const asking = setInterval(() => void opened.query("SELECT 1").catch(() => undefined), askEveryMs).unref()
      opened.on("end", () => clearInterval(asking))
    } catch (error) {
      log.warn({ err: error, channel }, "the connection for notifications could not be opened")
      await opened.end().catch(() => {})
      retry()
    }
  }

  let waiting = false
  function retry() {
    if (closed || waiting) return
    waiting = true
    setTimeout(() => {
      waiting = false
      void connect()
    }, reconnectAfterMs).unref()
  }

  void connect()
  return {
    async close() {
      closed = true
      await client?.end().catch(() => {})
    },
  }
}

/** The channel on which workers hear that there may be work. */
export const workChannel = "mailroom_work"

const everyMs = 50

let timer: NodeJS.Timeout | undefined
let again = false

/**
 * Wakes the workers for what this process has just committed: at once, and then at most every 50 ms, however much is
 * committed. Call it after a commit, never in a transaction: NOTIFY takes a lock of the whole server when it commits. What is
 * lost is found by the workers' polls. Raw, because Prisma has no NOTIFY.
 */
export function announceWork(): void {
  again = timer !== undefined
  if (timer) return
  timer = setTimeout(() => {
    timer = undefined
    if (again && databaseIsOpen()) announceWork()
  }, everyMs).unref()
  void notify(workChannel)
}

/** Wakes who listens to a channel. As `announceWork`: after a commit, and what is lost is found by polls. */
export async function notify(channel: string): Promise<void> {
  await pool()
    .query({ name: "jobs.announce", text: "SELECT pg_notify($1, '')", values: [channel] })
    .catch(() => undefined)
}
