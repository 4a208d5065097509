import { existsSync, readFileSync } from "node:fs"
import { afterAll, beforeAll, expect, test } from "vitest"
import { figures } from "@/e2e/support/chaos/figures"
import { size } from "@/e2e/support/chaos/size"
import { buildWorker } from "@/e2e/support/chaos/worker-process"
import { newSending, type Sending } from "@/e2e/support/delivery/sending"
import { freePort, portsOfMail } from "@/e2e/support/free-port"
import { newDeliveries } from "@/e2e/support/inbound/deliveries"
import { connected, pipelinedMailOn } from "@/e2e/support/inbound/dialogue"
import { bounce } from "@/e2e/support/inbound/returned"
import { verpFor } from "@/lib/delivery/message/proven-ids"
import { inboundLimits } from "@/lib/inbound/server"
import { hmac } from "@/lib/platform/crypto"
import { closeDatabase, pool } from "@/lib/platform/database/db"
import { env } from "@/lib/platform/env/env"

const mails = size(500, 10_000)
/** As many connections as each of these servers may have. */
const servers = ["127.0.0.1", "127.0.0.2"]
const lanesOfServer = inboundLimits.clientsPerAddressMax
const lanes = servers.length * lanesOfServer
/** Beside other tests the suite has half a core at most; the long test runs alone. */
const goals = { perSecond: size(20, 500), recordedWithinMs: size(60_000, 5_000), megabytes: 150 }

let sender: Sending

beforeAll(async () => {
  sender = await newSending()
})
afterAll(closeDatabase)

test(
  `${mails} bounces over ${lanes} connections are stored at ${goals.perSecond} a second in ${goals.megabytes} MB, and all recorded soon after`,
  { timeout: 600_000 },
  async () => {
    const deliveries = await newDeliveries(sender, mails, { delivered: true })
    const mailsOfAll = deliveries.map(({ id, recipient }) => {
      const returnPath = `${verpFor(id, hmac)}@${sender.mailFromDomain}`
      return { returnPath, raw: bounce({ returnPath, recipient, mark: id }) }
    })
    const [built, builtWorker] = [await buildWorker("inbound-process"), await buildWorker("returned-mail-worker")]
    const port = await freePort()
    const settings = { ...(await portsOfMail(port)), DATABASE_URL: env().databaseUrl, LOG_LEVEL: "warn" }
    const listener = built.start(settings)
    const worker = builtWorker.start(settings)
    let megabytes = 0
    const measuring = setInterval(() => (megabytes = Math.max(megabytes, residentMegabytes(listener.pid))), 200)
    try {
      const dialogues = await Promise.all(
        servers.flatMap((from) => Array.from({ length: lanesOfServer }, () => connected(port, { from }))),
      )
      await expect.poll(worker.output, { interval: 20 }).toContain("started")
      const startedAt = performance.now()
      const waiting = [...mailsOfAll]
      await Promise.all(
        dialogues.map(async (dialogue) => {
          for (let one = waiting.pop(); one; one = waiting.pop()) {
            const answer = await pipelinedMailOn(dialogue, one.returnPath, one.raw)
            expect(answer).toBe("250 2.0.0 Stored")
          }
          dialogue.end()
        }),
      )
      const storedMs = performance.now() - startedAt
      const perSecond = Math.round(mails / (storedMs / 1_000))
      await expect.poll(unread, { timeout: goals.recordedWithinMs, interval: 100 }).toBe(0)
      const recordedMs = Math.round(performance.now() - startedAt - storedMs)
      figures("returned mail taken", {
        mails,
        "a second": perSecond,
        seconds: storedMs / 1_000,
        "recorded ms later": recordedMs,
        "megabytes of mail": megabytes,
      })
      const { rows } = await pool().query(
        "SELECT status, count(*)::int FROM deliveries WHERE project_id = $1 GROUP BY 1",
        [sender.projectId],
      )
      expect(rows).toEqual([{ status: "bounced", count: mails }])
      expect(perSecond).toBeGreaterThanOrEqual(goals.perSecond)
      expect(megabytes).toBeGreaterThan(0)
      expect(megabytes).toBeLessThanOrEqual(goals.megabytes)
    } finally {
      clearInterval(measuring)
      for (const process of [listener, worker]) await process.end("SIGKILL")
      for (const one of [built, builtWorker]) one.remove()
    }
  },
)

async function unread(): Promise<number> {
  const { rows } = await pool().query<{ n: number }>(
    "SELECT count(*)::int AS n FROM inbound_messages WHERE project_id = $1 AND due_at IS NOT NULL",
    [sender.projectId],
  )
  return rows[0]?.n ?? -1
}

/** Zero for a process that has ended: what that means is for the test to say. */
function residentMegabytes(pid: number): number {
  if (!existsSync(`/proc/${pid}/status`)) return 0
  const status = readFileSync(`/proc/${pid}/status`, "utf8")
  return Math.round(Number(/VmRSS:\s+(\d+)/.exec(status)?.[1] ?? 0) / 1024)
}
