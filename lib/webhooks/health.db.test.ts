import { afterEach, beforeEach, expect, test } from "vitest"
import { api, newWorld, type World } from "@/e2e/support/world"
import { pool } from "@/lib/platform/database/db"
import { encodeId } from "@/lib/platform/ids"
import { verified } from "@/e2e/support/webhooks/http-receiver"
import { dispatched, newWebhook } from "@/e2e/support/webhooks/receiver"
import { endAll, receiver, settled, work } from "@/e2e/support/webhooks/working"

let world: World
beforeEach(async () => {
  world = await newWorld()
})
afterEach(endAll)

const base = "/v1/projects/{projectId}/webhooks"
const at = (params: Record<string, string> = {}) => ({
  key: world.apiKey,
  params: { projectId: world.project, ...params },
})
const hurried = (webhookId: string) =>
  pool().query(
    "UPDATE webhook_deliveries SET due_at = now() - interval '1 second' WHERE webhook_id = $1 AND status = 'pending'",
    [webhookId],
  )

test("a delivery shows each of its attempts: when, how long, the answer, and headers that verify with its payload", async () => {
  let status = 500
  const { url, received } = await receiver((_, response) => void response.writeHead(status).end("seen"))
  const webhook = await newWebhook(world, url)
  await dispatched(world, 1)
  work()
  await settled(webhook.id)
  status = 200
  await hurried(webhook.id)
  await expect.poll(() => received.length).toBe(2)
  const params = at({ endpointId: encodeId("whk", webhook.id) })
  await expect
    .poll(async () => (await api(`GET ${base}/{endpointId}/deliveries`, params)).json.data[0].status)
    .toBe("success")
  const [listed] = (await api(`GET ${base}/{endpointId}/deliveries`, params)).json.data
  expect(listed).not.toHaveProperty("attempts")
  const { json } = await api(`GET ${base}/{endpointId}/deliveries/{deliveryId}`, {
    ...params,
    params: { ...params.params, deliveryId: listed.id },
  })
  expect(json.attempts).toMatchObject([
    { statusCode: 500, error: "The endpoint answered 500.", durationMs: expect.any(Number) },
    { statusCode: 200, durationMs: expect.any(Number) },
  ])
  for (const [index, { requestHeaders, at: began }] of json.attempts.entries()) {
    expect(received[index]?.headers).toMatchObject(requestHeaders)
    expect(verified(webhook.secret, { body: json.payload, headers: requestHeaders }).id).toBe(json.eventId)
    expect(Math.abs(Date.parse(began) - Date.now())).toBeLessThan(60_000)
  }
})

test("an attempt whose URL was refused has no headers, since nothing was signed", async () => {
  const webhook = await newWebhook(world, "http://10.0.0.1/hook")
  await dispatched(world, 1)
  work()
  await settled(webhook.id)
  const { rows } = await pool().query("SELECT attempts FROM webhook_deliveries WHERE webhook_id = $1", [webhook.id])
  expect(rows[0].attempts).toEqual([
    { at: expect.any(String), durationMs: expect.any(Number), error: "target_refused", errorFacts: expect.anything() },
  ])
})

test("health counts a delivery once, in the hour in which it was created, and leaves tests out", async () => {
  let fails = 2
  const { url } = await receiver((_, response) => void response.writeHead(fails-- > 0 ? 500 : 200).end())
  const webhook = await newWebhook(world, url)
  const endpointId = encodeId("whk", webhook.id)
  const health = async () => (await api(`GET ${base}/{endpointId}/health`, at({ endpointId }))).json
  expect(await health()).toMatchObject({ attempted: 0, succeeded: 0, recovered: 0, failed: 0, retrying: 0 })

  await dispatched(world, 5)
  work()
  await settled(webhook.id)
  expect(await health()).toMatchObject({ attempted: 5, succeeded: 3, recovered: 0, failed: 0, retrying: 2 })
  await hurried(webhook.id)
  await expect.poll(async () => (await health()).recovered).toBe(2)
  fails = 1
  await api(`POST ${base}/{endpointId}/test`, at({ endpointId }))
  await expect
    .poll(
      async () =>
        (await pool().query("SELECT FROM webhook_deliveries WHERE status = 'failed' AND webhook_id = $1", [webhook.id]))
          .rowCount,
    )
    .toBe(1)

  const { hours, latency, ...figures } = await health()
  expect(figures).toEqual({
    ...{ attempted: 5, succeeded: 5, recovered: 2, failed: 0, retrying: 0 },
    ...{ lastSuccessAt: expect.any(String), lastFailureAt: expect.any(String) },
  })
  expect(hours).toHaveLength(24)
  const sum = (field: string) =>
    hours.reduce((total: number, hour: Record<string, number>) => total + (hour[field] ?? 0), 0)
  expect(sum("firstSucceeded")).toBe(3)
  expect(sum("firstFailed")).toBe(2)
  expect(latency).toMatchObject({ sample: 5, p50Ms: expect.any(Number) })
  const listed = await api(`GET ${base}`, at())
  expect(listed.json.data[0].health).toEqual(figures)
})

test("deliveries are filtered by status, and read on from one of them", async () => {
  const webhook = await newWebhook(world, "http://127.0.0.1:1/")
  const ids = await dispatched(world, 6)
  await pool().query("UPDATE webhook_deliveries SET status = 'failed', due_at = NULL WHERE event_id = ANY ($1)", [
    ids.slice(0, 3),
  ])
  const list = async (query: Record<string, string> = {}) =>
    (await api(`GET ${base}/{endpointId}/deliveries`, { ...at({ endpointId: encodeId("whk", webhook.id) }), query }))
      .json
  const failed = await list({ status: "failed" })
  expect(failed.data.map(({ status }: { status: string }) => status)).toEqual(["failed", "failed", "failed"])
  expect(failed.page.total).toBe(3)
  const all = (await list()).data.map(({ id }: { id: string }) => id)
  expect((await list({ before: all[1] })).data.map(({ id }: { id: string }) => id)).toEqual(all.slice(2))
})

test("a preview says of past events what would be sent, by the code that sends, and stores nothing", async () => {
  const { url, received } = await receiver()
  const shape = {
    events: ["email.delivered", "email.bounced"],
    filters: [{ field: "type", operator: "neq", value: "email.bounced" }],
    transformations: [{ type: "rename_field", from: "data.to", to: "data.recipient" }],
  }
  const webhook = await newWebhook(world, url, shape)
  await dispatched(world, 4)
  await dispatched(world, 1, "bounced")
  await dispatched(world, 1, "opened")
  work()
  await settled(webhook.id)
  const { json } = await api(`POST ${base}/preview`, { ...at(), body: shape })
  expect(json.data.map(({ type, delivered }: { type: string; delivered: boolean }) => [type, delivered])).toEqual([
    ["email.bounced", false],
    ...Array.from({ length: 3 }, () => ["email.delivered", true]),
  ])
  expect(json.data[0].failingFilter).toBe(0)
  for (const { body } of json.data.slice(1)) expect(received.map((one) => one.body)).toContain(body)
  expect(JSON.parse(json.data[1].payload).data.to).toBe("ada@lovelace.example")
})
