import { setTimeout as wait } from "node:timers/promises"
import { afterAll, afterEach, beforeAll, expect, test } from "vitest"
import { figures } from "@/e2e/support/chaos/figures"
import { size } from "@/e2e/support/chaos/size"
import { buildWorker, type WorkerProcess } from "@/e2e/support/chaos/worker-process"
import { newWorld } from "@/e2e/support/world"
import { pool } from "@/lib/platform/database/db"
import { encodeId, newId } from "@/lib/platform/ids"
import { newReceiver, verified, type Receiver } from "@/e2e/support/webhooks/http-receiver"
import { newWebhook } from "@/e2e/support/webhooks/receiver"

const events = size(100, 2_000)
const kills = size(2, 30)
const failuresMax = 9

let bundle: Awaited<ReturnType<typeof buildWorker>>
let receiver: Receiver | undefined
let worker: WorkerProcess | undefined

beforeAll(async () => {
  bundle = await buildWorker()
})
afterEach(async () => {
  await worker?.end("SIGKILL")
  receiver?.close()
})
afterAll(() => bundle.remove())

test(
  `${events} events reach an endpoint that fails 0 to ${failuresMax} times at random, while the worker is killed ${kills} times`,
  { timeout: 600_000 },
  async () => {
    const failures = new Map<string, number>()
    const taken = new Set<string>()
    let copies = 0
    receiver = await newReceiver(({ id }, response) => {
      if (taken.has(id)) copies += 1
      const left = failures.get(id) ?? Math.floor(Math.random() * (failuresMax + 1))
      failures.set(id, left - 1)
      if (left <= 0) return void (taken.add(id), response.end("ok"))
      if (left % 3 === 0) return void response.destroy()
      response.writeHead(left % 3 === 1 ? 500 : 429).end("try again")
    })
    const { received } = receiver
    const world = await newWorld()
    const { id, secret } = await newWebhook(world, receiver.url)
    const eventIds = await written(world.projectId)
    const startedAt = performance.now()

    let killed = 0
    const waiting = () => count("status IN ('pending', 'processing')", id)
    worker = start()
    while (taken.size < events || (await waiting()) > 0) {
      if (!worker.isAlive()) expect.fail(worker.output())
      // The waits of the schedule are hours: everything that waits is due now.
      await pool().query(
        "UPDATE webhook_deliveries SET due_at = now() - interval '1 second' WHERE webhook_id = $1 AND status = 'pending' AND due_at > now()",
        [id],
      )
      if (killed < kills && received.length > ((killed + 1) * events * 4) / (kills + 1)) {
        await worker.end("SIGKILL")
        killed += 1
        worker = start()
      }
      await wait(50)
    }

    expect(killed).toBe(kills)
    expect([...taken].sort()).toEqual(eventIds.map((event) => encodeId("evt", event)).sort())
    expect(await count("status = 'success'", id)).toBe(events)
    const bodies = new Map<string, string>()
    for (const one of received) {
      expect(verified(secret, one).id).toBe(one.id)
      expect(bodies.get(one.id) ?? one.body).toBe(one.body)
      bodies.set(one.id, one.body)
      const lateSeconds = one.at / 1_000 - Number(one.headers["webhook-timestamp"])
      expect(Math.abs(lateSeconds)).toBeLessThan(20)
    }
    const seconds = (performance.now() - startedAt) / 1_000
    figures("webhooks", { events, kills, requests: received.length, copies, seconds })
  },
)

function start(): WorkerProcess {
  return bundle.start({ ALLOW_PRIVATE_WEBHOOKS: "127.0.0.0/8" })
}

async function written(projectId: string): Promise<string[]> {
  const ids = Array.from({ length: events }, newId)
  await pool().query(
    `INSERT INTO events (id, project_id, email_id, type, data, occurred_at)
      SELECT id, $2, gen_random_uuid(), 'delivered', '{"to":"ada@lovelace.example"}', now() FROM unnest($1::uuid[]) AS given(id)`,
    [ids, projectId],
  )
  return ids
}

async function count(condition: string, webhookId: string): Promise<number> {
  const { rows } = await pool().query(
    `SELECT count(*)::int AS n FROM webhook_deliveries WHERE webhook_id = $1 AND ${condition}`,
    [webhookId],
  )
  return rows[0].n
}
