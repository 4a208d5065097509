import pg from "pg"
import { newClient } from "@/lib/platform/database/client"
import { byShards } from "@/lib/platform/database/db"
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
