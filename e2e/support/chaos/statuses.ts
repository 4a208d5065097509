import { setTimeout as wait } from "node:timers/promises"
import { type EmailStatus, statusAfter } from "@/lib/delivery/queue/rules"
import type { Sending } from "@/e2e/support/delivery/sending"
import { pool } from "@/lib/platform/database/db"

export type Watch = {
  /** Every check that showed an email or a delivery further back than an earlier check. */
  stop(): Promise<string[]>
}

/** Looks at all emails and deliveries of a sender again and again, and notes what goes backwards. */
export function watchStatuses(sender: Sending, everyMs = 25): Watch {
  const seen = new Map<string, EmailStatus>()
  const attempts = new Map<string, number>()
  const faults: string[] = []
  let stopped = false

  async function check() {
    const { rows } = await pool().query<{ id: string; status: EmailStatus; attempt: number | null }>(
      `SELECT id, status, NULL::int AS attempt FROM emails WHERE project_id = $1
        UNION ALL SELECT id, status, attempt FROM deliveries WHERE project_id = $1`,
      [sender.projectId],
    )
    for (const { id, status, attempt } of rows) {
      const before = seen.get(id) ?? status
      if (before !== status && statusAfter(before, status) !== status) faults.push(`${id} from ${before} to ${status}`)
      if ((attempts.get(id) ?? 0) > (attempt ?? 0)) faults.push(`${id} from attempt ${attempts.get(id)} to ${attempt}`)
      seen.set(id, status)
      attempts.set(id, attempt ?? 0)
    }
  }

  async function run() {
    while (!stopped) {
      await check()
      await wait(everyMs)
    }
    await check()
  }

  const running = run()
  return {
    async stop() {
      stopped = true
      await running
      return faults
    },
  }
}
