import { afterEach, beforeEach, describe, expect, test, vi } from "vitest"
import { api, newWorld, type World } from "@/e2e/support/world"
import { pool } from "@/lib/platform/database/db"
import { decodeId, encodeId, firstIdAt, newId } from "@/lib/platform/ids"
import { runWebhooks } from "@/lib/webhooks/delivery/worker"
import { newReceiver, verified, type Receiver } from "@/e2e/support/webhooks/http-receiver"
import { deliveriesOf, dispatched, local, newWebhook } from "@/e2e/support/webhooks/receiver"
import { systemIo } from "@/lib/regions/io"

let world: World
let receiver: Receiver
let status = 200
let webhook: { id: string; secret: string }
const ends: (() => unknown)[] = []

beforeEach(async () => {
  status = 200
  world = await newWorld()
  receiver = await newReceiver((_, response) => response.writeHead(status).end("seen"))
  webhook = await newWebhook(world, receiver.url)
})
afterEach(async () => {
  for (const end of ends.splice(0)) await end()
  receiver.close()
})

function work() {
  const stop = new AbortController()
  const running = runWebhooks({ io: systemIo(), signal: stop.signal, guard: local, intervalMs: 20 })
  ends.push(() => (stop.abort(), running))
}

const base = "/v1/projects/{projectId}/webhooks/{endpointId}"
const at = (params: Record<string, string> = {}) => ({
  key: world.apiKey,
  params: { projectId: world.project, endpointId: encodeId("whk", webhook.id), ...params },
})
const list = async (query = {}) => (await api(`GET ${base}/deliveries`, { ...at(), query })).json
const received = (count: number) => vi.waitFor(() => expect(receiver.received).toHaveLength(count), 5_000)
const ended = () =>
  vi.waitFor(async () => {
    const rows = await deliveriesOf(webhook.id)
    expect(rows.filter(({ status }) => status === "pending" || status === "processing")).toEqual([])
    return rows
  }, 5_000)

test("deliveries are listed newest first, fifty a page, and one shows what is sent", async () => {
  await dispatched(world, 60)
  const { data, page } = await list()
  expect(page).toMatchObject({ size: 50, total: 60, hasNextPage: true })
  expect(data.map(({ id }: { id: string }) => id)).toEqual(
    data
      .map(({ id }: { id: string }) => id)
      .toSorted()
      .toReversed(),
  )
  expect(data[0]).toMatchObject({
    eventType: "email.delivered",
    status: "pending",
    attemptCount: 0,
    webhookEndpointId: at().params.endpointId,
    nextAttemptAt: expect.stringMatching(/Z$/),
  })
  for (const field of ["payload", "lastError", "lastStatusCode", "responseBodySnippet"])
    expect(data[0]).not.toHaveProperty(field)
  const one = await api(`GET ${base}/deliveries/{deliveryId}`, at({ deliveryId: data[0].id }))
  expect(JSON.parse(one.json.payload)).toMatchObject({ id: data[0].eventId, type: "email.delivered" })
})

test("deliveries of a time are those that were created in it, both ends included, in the list and in a replay", async () => {
  await dispatched(world, 3)
  const instant = (minutes: number) => new Date(Date.UTC(2026, 0, 2, 10, minutes)).toISOString()
  const ids = (await list()).data.map(({ id }: { id: string }) => id) as string[]
  for (const [nth, id] of ids.entries()) {
    const uuid = firstIdAt(new Date(instant(nth * 30)))
    await pool().query("UPDATE webhook_deliveries SET id = $2, created_at = $3 WHERE id = $1", [
      decodeId("whd", id),
      uuid,
      instant(nth * 30),
    ])
  }
  const times = async (query: object) =>
    (await list(query)).data.map(({ createdAt }: { createdAt: string }) => createdAt) as string[]
  expect(await times({ since: instant(0), until: instant(30) })).toEqual([instant(30), instant(0)])
  expect(await times({ since: instant(31) })).toEqual([instant(60)])
  expect(await times({ until: instant(29) })).toEqual([instant(0)])
  const last = (await list()).data[0].id as string
  expect(await times({ since: instant(30), before: last })).toEqual([instant(30)])

  await pool().query("UPDATE webhook_deliveries SET status = 'failed', due_at = NULL WHERE webhook_id = $1", [
    webhook.id,
  ])
  const replayed = async (body: object) =>
    (await api(`POST ${base}/replay`, { ...at(), body: { ...body, dryRun: true } })).json.count
  expect([
    await replayed({ since: instant(0), until: instant(30) }),
    await replayed({ since: instant(30), until: instant(30) }),
    await replayed({ since: instant(31) }),
    await replayed({ since: instant(0), until: instant(29) }),
  ]).toEqual([2, 1, 1, 1])
})

describe("a test", () => {
  test("is signed, reaches even a disabled webhook, and shows its result", async () => {
    await api(`PATCH ${base}`, { ...at(), body: { enabled: false } })
    const { status: answer, json } = await api(`POST ${base}/test`, at())
    expect({ answer, status: json.status, eventType: json.eventType }).toEqual({
      answer: 202,
      status: "pending",
      eventType: "webhook.test",
    })
    work()
    await received(1)
    const [one = expect.fail()] = receiver.received
    expect(verified(webhook.secret, one)).toMatchObject({ id: json.eventId, type: "webhook.test" })
    await ended()
    const read = await api(`GET ${base}/deliveries/{deliveryId}`, at({ deliveryId: json.id }))
    expect(read.json).toMatchObject({
      status: "success",
      attemptCount: 1,
      lastStatusCode: 200,
      responseBodySnippet: "seen",
    })
  })

  test("that fails is not repeated, and says nothing about the health of the webhook", async () => {
    status = 500
    await api(`POST ${base}/test`, at())
    work()
    expect(await ended()).toMatchObject([{ status: "failed", attempt_count: 1 }])
    expect((await api(`GET ${base}`, at())).json).not.toHaveProperty("failingSince")
  })
})

describe("a replay", () => {
  const replay = (deliveryId: string) => api(`POST ${base}/replay/{deliveryId}`, at({ deliveryId }))

  test("of a delivery that has ended sends the same id and body again, and leaves the original as it is", async () => {
    await dispatched(world, 1)
    work()
    await received(1)
    await ended()
    const { data } = await list()
    const answers = await Promise.all([replay(data[0].id), replay(data[0].id)])
    expect(answers.map(({ status }) => status)).toEqual([202, 202])
    expect(await answers[0]?.response.text()).toBe("")
    await vi.waitFor(() => expect(receiver.received.length).toBeGreaterThan(1), 5_000)
    await ended()
    expect(new Set(receiver.received.map(({ id, body }) => `${id} ${body}`)).size).toBe(1)
    for (const one of receiver.received) verified(webhook.secret, one)
    expect((await list()).data.at(-1)).toEqual(data[0])
    const since = new Date(Date.now() - 60_000).toISOString()
    const all = await api(`POST ${base}/replay`, { ...at(), body: { since, include: "all" } })
    const { rows } = await pool().query(
      "SELECT changes->>'deliveries' AS deliveries FROM audit_entries WHERE organization_id = $1 AND action = 'webhook.deliveries_replayed'",
      [world.organizationId],
    )
    expect(rows.map(({ deliveries }) => deliveries)).toEqual(["1", "1", String(all.json.count)])
  })

  test("of a delivery that waits attempts it now, and is no second one", async () => {
    status = 500
    await dispatched(world, 1)
    work()
    await received(1)
    status = 200
    await vi.waitFor(async () => expect((await deliveriesOf(webhook.id))[0]?.attempt_count).toBe(1), 5_000)
    await pool().query("UPDATE webhook_deliveries SET due_at = now() + interval '1 day' WHERE webhook_id = $1", [
      webhook.id,
    ])
    await replay((await list()).data[0].id)
    await received(2)
    expect(await ended()).toMatchObject([{ status: "success", attempt_count: 2 }])
  })

  test("reaches no delivery of another webhook or project, and none of a deleted webhook", async () => {
    await dispatched(world, 1)
    const deliveryId = (await list()).data[0].id as string
    const other = await newWorld()
    const foreign = await newWebhook(other, receiver.url)
    const sibling = await newWebhook(world, receiver.url)
    const calls = [
      { key: other.apiKey, params: { projectId: other.project, endpointId: encodeId("whk", foreign.id), deliveryId } },
      at({ endpointId: encodeId("whk", sibling.id), deliveryId }),
      at({ deliveryId: encodeId("whd", newId()) }),
    ]
    for (const call of calls) {
      expect((await api(`POST ${base}/replay/{deliveryId}`, call)).json.code).toBe("webhook_delivery.not_found")
      expect((await api(`GET ${base}/deliveries/{deliveryId}`, call)).json.code).toBe("webhook_delivery.not_found")
    }
    await api(`DELETE ${base}`, at())
    expect((await replay(deliveryId)).status).toBe(404)
    expect((await api(`GET ${base}/deliveries`, at())).json.code).toBe("webhook.not_found")
    expect((await api(`POST ${base}/test`, at())).json.code).toBe("webhook.not_found")
    expect((await deliveriesOf(foreign.id)).length + (await deliveriesOf(sibling.id)).length).toBe(0)
  })
})

describe("a replay of a range", () => {
  const replay = (body: object) =>
    api(`POST ${base}/replay`, { ...at(), body: { since: "2026-01-01T00:00:00Z", ...body } })
  const mark = (ids: string[], status: string) =>
    pool().query(
      "UPDATE webhook_deliveries SET status = $2, due_at = NULL WHERE webhook_id = $3 AND event_id = ANY ($1::uuid[])",
      [ids, status, webhook.id],
    )

  test("sends what was never taken once more, or all; what waits is left alone", async () => {
    const [failed, cancelled, taken, waiting] = [
      await dispatched(world, 3),
      await dispatched(world, 2),
      await dispatched(world, 4),
      await dispatched(world, 1),
    ]
    await mark(failed, "failed")
    await mark(cancelled, "cancelled")
    await mark(taken, "success")
    expect((await replay({ dryRun: true })).json).toEqual({ count: 5 })
    expect((await replay({ dryRun: true, include: "all" })).json).toEqual({ count: 9 })
    expect((await replay({ dryRun: true, until: "2026-01-02T00:00:00Z" })).json).toEqual({ count: 0 })
    expect(await deliveriesOf(webhook.id)).toHaveLength(10)
    const done = await replay({})
    expect({ status: done.status, json: done.json }).toEqual({ status: 202, json: { count: 5 } })
    expect((await replay({})).json).toEqual({ count: 0 })
    work()
    await received(6)
    await ended()
    const ids = receiver.received.map(({ id }) => id).sort()
    expect(ids).toEqual([...failed, ...cancelled, ...waiting].map((id) => encodeId("evt", id)).sort())
    expect((await replay({ include: "all" })).json).toEqual({ count: 10 })
  })

  test("of more than 10,000 events is refused and replays nothing", async () => {
    await pool().query(
      `INSERT INTO webhook_deliveries (id, project_id, webhook_id, event_id, event_type, body, status)
        SELECT first_id_at(now() - at * interval '1 second'), $1, $2, gen_random_uuid(), 'email.sent', '{}', 'failed'
          FROM generate_series(1, 10001) AS at`,
      [world.projectId, webhook.id],
    )
    const refused = await replay({})
    expect({ status: refused.status, pointer: refused.json.errors[0].pointer }).toEqual({
      status: 400,
      pointer: "/since",
    })
    const since = new Date(Date.now() - 9_000_000).toISOString()
    expect((await replay({ since })).json.count).toBeGreaterThan(8_900)
    expect((await list({ size: 1 })).page.total).toBeGreaterThan(18_900)
  })
})
