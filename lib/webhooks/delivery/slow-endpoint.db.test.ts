import type { ServerResponse } from "node:http"
import { setTimeout as wait } from "node:timers/promises"
import { afterEach, expect, test, vi } from "vitest"
import { measured } from "@/e2e/support/measured"
import { figures } from "@/e2e/support/chaos/figures"
import { size } from "@/e2e/support/chaos/size"
import { newWorld, type World } from "@/e2e/support/world"
import { pool } from "@/lib/platform/database/db"
import { encodeId } from "@/lib/platform/ids"
import type { Receiver } from "@/e2e/support/webhooks/http-receiver"
import { createWebhookClaim } from "@/lib/webhooks/delivery/data"
import { dispatched, newWebhook } from "@/e2e/support/webhooks/receiver"
import { endAll, receiver, work } from "@/e2e/support/webhooks/working"

afterEach(endAll)

const events = size(60, 600)
const betweenMs = 40

test(
  "endpoints of one project that answer with a byte a second leave the delivery delay of another as it is",
  { ...measured, timeout: 120_000 },
  async () => {
    await pool().query("UPDATE webhook_deliveries SET due_at = NULL")
    const quick = await receiver()
    const other = await newWorld()
    await newWebhook(other, quick.url)
    work()
    work()
    const alone = await delaysOf(other, quick)

    const slow = await receiver((_, response) => void trickle(response))
    const world = await newWorld()
    for (let nth = 0; nth < 6; nth++) await newWebhook(world, slow.url)
    await dispatched(world, size(100, 1_000))
    await vi.waitFor(() => expect(slow.open()).toBe(20), 10_000)
    const beside = await delaysOf(other, quick)
    expect(slow.open()).toBeGreaterThan(0)

    figures("webhook delay beside endpoints of 1 byte a second", {
      "p50 alone ms": at(alone, 0.5),
      "p50 beside ms": at(beside, 0.5),
      "p99 alone ms": at(alone, 0.99),
      "p99 beside ms": at(beside, 0.99),
    })
    expect(at(beside, 0.5)).toBeLessThan(1.5 * at(alone, 0.5) + 50)
    expect(at(beside, 0.99)).toBeLessThan(1.5 * at(alone, 0.99) + 150)
  },
)

/** Milliseconds from each event to its arrival, shortest first. */
async function delaysOf(world: World, { received }: Receiver): Promise<number[]> {
  const happenedAt = new Map<string, number>()
  for (let nth = 0; nth < events; nth++) {
    const startedAt = Date.now()
    for (const id of await dispatched(world, 1)) happenedAt.set(encodeId("evt", id), startedAt)
    await wait(betweenMs)
  }
  const arrived = () => received.filter(({ id }) => happenedAt.has(id))
  await vi.waitFor(() => expect(arrived()).toHaveLength(events), 20_000)
  return arrived()
    .map((one) => one.at - (happenedAt.get(one.id) ?? 0))
    .sort((a, b) => a - b)
}

function at(sorted: readonly number[], share: number): number {
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Infinity
}

async function trickle(response: ServerResponse) {
  const { socket } = response
  for (const byte of "HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nok") {
    if (!socket || socket.destroyed) return
    socket.write(byte)
    await wait(1_000)
  }
}

test(
  "silent endpoints of many projects of one organization leave a quarter of the places free, and a neighbour's first webhook leaves at once",
  { ...measured, timeout: 60_000 },
  async () => {
    await pool().query("UPDATE webhook_deliveries SET due_at = NULL")
    const silent = await receiver(() => undefined)
    const worlds = [await newWorld(), await newWorld(), await newWorld()]
    await pool().query("UPDATE projects SET organization_id = $1 WHERE id = ANY ($2)", [
      worlds[0]?.organizationId,
      worlds.map(({ projectId }) => projectId),
    ])
    for (const world of worlds) {
      for (let nth = 0; nth < 4; nth++) await newWebhook(world, silent.url)
      await dispatched(world, 5)
    }
    const places = 40
    work({ places })
    await vi.waitFor(() => expect(silent.open()).toBe(30), 10_000)

    const quick = await receiver()
    const neighbour = await newWorld()
    await newWebhook(neighbour, quick.url)
    const delays: number[] = []
    for (let nth = 0; nth < 5; nth++) {
      const startedAt = performance.now()
      await dispatched(neighbour, 1)
      await vi.waitFor(() => expect(quick.received).toHaveLength(nth + 1), { timeout: 20_000, interval: 5 })
      delays.push(performance.now() - startedAt)
    }
    figures("webhook delay beside silent endpoints of many projects", { "most ms": Math.max(...delays) })
    expect(Math.max(...delays), "milliseconds until the neighbour's webhook arrived").toBeLessThan(1_500)
    expect(silent.open(), "requests to the silent endpoints").toBe(30)
  },
)

test("while another organization waits, one gets a quarter of the places, all its projects together", async () => {
  await pool().query("UPDATE webhook_deliveries SET due_at = NULL")
  const worlds = [await newWorld(), await newWorld(), await newWorld()]
  const [first, second, other] = worlds
  await pool().query("UPDATE projects SET organization_id = $1 WHERE id = $2", [
    first?.organizationId,
    second?.projectId,
  ])
  for (const world of worlds) {
    for (let nth = 0; nth < 4; nth++) await newWebhook(world, "https://hooks.example.com/")
    await dispatched(world, 5)
  }
  const claimed = await createWebhookClaim({ leaseMs: 60_000, places: 40, taken: new Map() })(40)
  const ofOrganization = (id: string | undefined) =>
    claimed.filter(({ organizationId }) => organizationId === id).length
  expect(ofOrganization(first?.organizationId)).toBe(10)
  expect(ofOrganization(other?.organizationId)).toBe(10)
  const taken = new Map([[first?.organizationId ?? "", 10]])
  const next = await createWebhookClaim({ leaseMs: 60_000, places: 40, taken })(40)
  expect(new Set(next.map(({ organizationId }) => organizationId))).toEqual(new Set([other?.organizationId]))
})
