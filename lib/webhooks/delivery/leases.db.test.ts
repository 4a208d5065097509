import { afterEach, beforeEach, describe, expect, test, vi } from "vitest"
import { measured } from "@/e2e/support/measured"
import { newWorld, type World } from "@/e2e/support/world"
import { pool } from "@/lib/platform/database/db"
import { deliveriesOf, dispatched, newWebhook } from "@/e2e/support/webhooks/receiver"
import { endAll, receiver, settled, work } from "@/e2e/support/webhooks/working"

let world: World
beforeEach(async () => {
  world = await newWorld()
})
afterEach(endAll)

describe("leases", () => {
  test("what a worker held that died is delivered by another, and its own late outcome changes nothing", async () => {
    let answer = () => {}
    const held = new Promise<void>((resolve) => (answer = resolve))
    const { url, received } = await receiver((_, response) => void held.then(() => response.writeHead(500).end()))
    const { id } = await newWebhook(world, url)
    await dispatched(world, 1)
    work({ leaseMs: 600_000 })
    await vi.waitFor(() => expect(received).toHaveLength(1), 5_000)
    await pool().query(
      "UPDATE webhook_deliveries SET due_at = NULL, status = 'success', attempt = attempt + 1, attempt_count = 1 WHERE webhook_id = $1",
      [id],
    )
    answer()
    await new Promise((resolve) => setTimeout(resolve, 200))
    expect(await deliveriesOf(id)).toMatchObject([{ status: "success", attempt_count: 1, last_status_code: null }])
    await pool().query(
      "UPDATE webhook_deliveries SET due_at = now() - interval '1 second', status = 'processing', attempt_count = 0 WHERE webhook_id = $1",
      [id],
    )
    await settled(id)
    expect(received).toHaveLength(2)
    expect(received[1]?.id).toBe(received[0]?.id)
  })

  test("a worker that stops gives back what nobody has answered, and charges no attempt", async () => {
    const { url, received } = await receiver(() => {})
    const { id } = await newWebhook(world, url)
    await dispatched(world, 1)
    const end = work({ drainMs: 50 })
    await vi.waitFor(() => expect(received).toHaveLength(1), 5_000)
    await end()
    const [row] = await deliveriesOf(id)
    expect(row).toMatchObject({ status: "pending", attempt_count: 0, last_error: null })
    expect(row?.waitSeconds).toBeLessThanOrEqual(0)
  })
})

describe("fairness", () => {
  test(
    "endpoints that never answer hold 5 requests each and 20 a project, and delay nobody else",
    measured,
    async () => {
      const silent = await receiver(() => {})
      const quick = await receiver()
      const slow = await Promise.all(Array.from({ length: 6 }, () => newWebhook(world, silent.url)))
      await dispatched(world, 200)
      const other = await newWorld()
      const webhook = await newWebhook(other, quick.url)
      work()
      work()
      await vi.waitFor(() => expect(silent.open()).toBe(20), 5_000)
      const startedAt = Date.now()
      await dispatched(other, 50)
      await settled(webhook.id)
      expect(Date.now() - startedAt).toBeLessThan(3_000)
      expect(quick.received).toHaveLength(50)
      expect(quick.openMax()).toBeLessThanOrEqual(5)
      expect(silent.openMax()).toBe(20)
      const perEndpoint = await Promise.all(
        slow.map(async ({ id }) => (await deliveriesOf(id)).filter(({ attempt }) => attempt)),
      )
      expect(Math.max(...perEndpoint.map(({ length }) => length))).toBeLessThanOrEqual(5)
    },
  )
})
