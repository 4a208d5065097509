import { expect, test, vi } from "vitest"
import { measured } from "@/e2e/support/measured"
import { api, newWorld, type World } from "@/e2e/support/world"
import { pool } from "@/lib/platform/database/db"
import { encodeId, firstIdAt, newId } from "@/lib/platform/ids"
import { deliveriesOf, dispatched, newWebhook } from "@/e2e/support/webhooks/receiver"
import { runShaping, shapeAll } from "@/lib/webhooks/fan-out/data"
import { dispatchOnce } from "@/lib/worker/dispatcher"

/** What one person with ordinary rights can describe: some 100 MB of text an event, were it not bounded. */
const amplifying = [
  { type: "rename_field", from: "data", to: "a" },
  ...Array.from({ length: 11 }, (_, at) => {
    return { type: "compute_field", field: `a.f${at}`, template: "\u0001".repeat(2_000) }
  }),
  ...Array.from({ length: 8 }, (_, at) => ({ type: "compute_field", field: `g${at}`, template: "{{a}}".repeat(400) })),
]

/** Stored before such transformations were refused. */
async function newHostileWebhook(world: World, url = "https://hooks.example.com/x") {
  const webhook = await newWebhook(world, url)
  await pool().query("UPDATE webhooks SET transformations = $2 WHERE id = $1", [webhook.id, JSON.stringify(amplifying)])
  return webhook
}

test(
  "a webhook whose transformations amplify fails alone, with its reason; a neighbour's webhooks and the order of events do not wait",
  measured,
  async () => {
    const [attacker, neighbour] = [await newWorld(), await newWorld()]
    const hostile = await newHostileWebhook(attacker)
    const plain = await newWebhook(attacker, "https://hooks.example.com/y")
    const filtered = await newWebhook(neighbour, "https://hooks.example.com/z", {
      filters: [{ field: "data.to", operator: "contains", value: "lovelace" }],
    })
    const event = (projectId: string) => [newId(), projectId]
    const given = [
      ...Array.from({ length: 80 }, () => event(attacker.projectId)),
      ...Array.from({ length: 5 }, () => event(neighbour.projectId)),
    ]
    await pool().query(
      `INSERT INTO events (id, project_id, email_id, type, data, occurred_at)
      SELECT id, project, gen_random_uuid(), 'delivered', '{"to":"ada@lovelace.example"}', now()
        FROM unnest($1::uuid[], $2::uuid[]) AS given(id, project)`,
      [given.map(([id]) => id), given.map(([, project]) => project)],
    )
    const startedAt = performance.now()
    while ((await dispatchOnce()) > 0);
    expect(performance.now() - startedAt, "milliseconds to number the events").toBeLessThan(2_000)
    expect(await deliveriesOf(plain.id), "deliveries of the webhook without transformations").toHaveLength(80)

    const stop = new AbortController()
    const running = runShaping(stop.signal)
    await vi.waitFor(async () => expect(await deliveriesOf(filtered.id)).toHaveLength(5), {
      timeout: 20_000,
      interval: 20,
    })
    await vi.waitFor(async () => expect(await deliveriesOf(hostile.id)).toHaveLength(80), {
      timeout: 20_000,
      interval: 50,
    })
    stop.abort()
    await running
    for (const { status, last_error, waitSeconds } of await deliveriesOf(hostile.id))
      expect({ status, last_error, waitSeconds }).toEqual({
        status: "failed",
        last_error: "shaping_too_large",
        waitSeconds: null,
      })

    const params = { projectId: attacker.project, endpointId: encodeId("whk", hostile.id) }
    const webhook = await api("GET /v1/projects/{projectId}/webhooks/{endpointId}", { key: attacker.apiKey, params })
    expect(webhook.json.failingSince, "the webhook counts as failing").toBeDefined()
    const list = await api("GET /v1/projects/{projectId}/webhooks/{endpointId}/deliveries", {
      key: attacker.apiKey,
      params,
    })
    expect(list.json.data[0].lastError, "a sentence, not the code").toMatch(/larger than 256 KiB/)
  },
)

test("a webhook that has failed in this way for more than five days is disabled", async () => {
  const world = await newWorld()
  const { id } = await newHostileWebhook(world)
  await pool().query("UPDATE webhooks SET failing_since = now() - interval '6 days' WHERE id = $1", [id])
  await dispatched(world, 1)
  const { rows } = await pool().query<{ reason: string }>(
    "SELECT disabled_reason AS reason FROM webhooks WHERE id = $1",
    [id],
  )
  expect(rows).toEqual([{ reason: "failing" }])
})

test("a test of such a webhook is stored as failed, and the preview says why in bounded time", measured, async () => {
  const world = await newWorld()
  const { id } = await newHostileWebhook(world)
  await dispatched(world, 20)
  const params = { projectId: world.project, endpointId: encodeId("whk", id) }
  const tested = await api("POST /v1/projects/{projectId}/webhooks/{endpointId}/test", { key: world.apiKey, params })
  expect(tested.status).toBeLessThan(300)
  const startedAt = performance.now()
  const preview = await api("POST /v1/projects/{projectId}/webhooks/preview", {
    key: world.apiKey,
    params: { projectId: world.project },
    body: { events: ["email.delivered"], transformations: amplifying },
  })
  expect(performance.now() - startedAt, "milliseconds of the preview").toBeLessThan(1_000)
  expect(preview.json.data[0]).toMatchObject({ delivered: false, body: "", failure: expect.stringMatching(/256 KiB/) })
})

test("transformations that no event could pass are refused when they are saved", async () => {
  const world = await newWorld()
  const body = { url: "https://8.8.8.8/", events: ["email.delivered"], transformations: amplifying }
  const params = { projectId: world.project }
  const refused = await api("POST /v1/projects/{projectId}/webhooks", { key: world.apiKey, params, body })
  expect({ status: refused.status, errors: refused.json.errors }).toEqual({
    status: 400,
    errors: [{ pointer: "/transformations", detail: expect.stringMatching(/256 KiB/) }],
  })
  const { id } = await newWebhook(world, "https://hooks.example.com/x")
  const changed = await api("PATCH /v1/projects/{projectId}/webhooks/{endpointId}", {
    ...{ key: world.apiKey, params: { ...params, endpointId: encodeId("whk", id) } },
    body: { transformations: amplifying },
  })
  expect(changed.status).toBe(400)
})

test("an event that failed at the transformations is shaped again when it is replayed, never sent as it was before them", async () => {
  const world = await newWorld()
  const { id } = await newHostileWebhook(world)
  await dispatched(world, 1)
  const params = { projectId: world.project, endpointId: encodeId("whk", id) }
  const list = () => api("GET /v1/projects/{projectId}/webhooks/{endpointId}/deliveries", { key: world.apiKey, params })
  const [failed] = (await list()).json.data
  await pool().query("UPDATE webhooks SET transformations = $2 WHERE id = $1", [
    id,
    JSON.stringify([{ type: "remove_field", field: "data.to" }]),
  ])
  for (let times = 0; times < 2; times++)
    await api("POST /v1/projects/{projectId}/webhooks/{endpointId}/replay/{deliveryId}", {
      ...{ key: world.apiKey, params: { ...params, deliveryId: failed.id } },
    })
  await shapeAll()
  const rows = await deliveriesOf(id)
  expect(rows.map(({ status }) => status)).toEqual(["failed", "pending"])
  const { rows: bodies } = await pool().query<{ body: string }>(
    "SELECT body FROM webhook_deliveries WHERE webhook_id = $1 AND status = 'pending'",
    [id],
  )
  expect(bodies[0]?.body).not.toContain("lovelace")
})

test("an event that waited long for the filters of its webhook is in the list of the time it came in, and a replay has it", async () => {
  const world = await newWorld()
  const { id } = await newWebhook(world, "https://hooks.example.com/x", {
    filters: [{ field: "data.to", operator: "contains", value: "lovelace" }],
  })
  await pool().query(
    `INSERT INTO events (id, project_id, email_id, type, data, occurred_at)
      VALUES ($1, $2, gen_random_uuid(), 'delivered', '{"to":"ada@lovelace.example"}', now())`,
    [newId(), world.projectId],
  )
  while ((await dispatchOnce()) > 0);
  const cameIn = new Date(Date.now() - 2 * 3_600_000)
  await pool().query("UPDATE webhook_shapings SET id = $2 WHERE webhook_id = $1", [id, firstIdAt(cameIn)])
  await shapeAll()

  const base = "/v1/projects/{projectId}/webhooks/{endpointId}" as const
  const at = { key: world.apiKey, params: { projectId: world.project, endpointId: encodeId("whk", id) } }
  const around = (instant: Date) => ({
    since: new Date(instant.getTime() - 1_800_000).toISOString(),
    until: new Date(instant.getTime() + 1_800_000).toISOString(),
  })
  const { json } = await api(`GET ${base}/deliveries`, { ...at, query: around(cameIn) })
  expect(json.data).toMatchObject([{ status: "pending", createdAt: cameIn.toISOString() }])
  await pool().query("UPDATE webhook_deliveries SET status = 'failed', due_at = NULL WHERE webhook_id = $1", [id])
  const replay = (instant: Date) => api(`POST ${base}/replay`, { ...at, body: { ...around(instant), dryRun: true } })
  expect((await replay(cameIn)).json).toEqual({ count: 1 })
  expect((await replay(new Date())).json).toEqual({ count: 0 })
})

test("webhooks of one organization, however many, leave every other round to a neighbour's", measured, async () => {
  const [owner, neighbour] = [await newWorld(), await newWorld()]
  const many = Array.from({ length: 30 }, newId)
  await pool().query(
    `INSERT INTO webhooks (id, project_id, name, url, events, transformations, secret)
      SELECT g.id, project_id, name, url, events, transformations, secret FROM webhooks w, unnest($2::uuid[]) AS g(id)
        WHERE w.id = $1`,
    [(await newHostileWebhook(owner)).id, many],
  )
  const quick = await newWebhook(neighbour, "https://hooks.example.com/z", {
    filters: [{ field: "data.to", operator: "contains", value: "lovelace" }],
  })
  const rows = [...many.flatMap((id) => Array<string>(40).fill(id)), quick.id]
  await pool().query(
    `INSERT INTO webhook_shapings (id, project_id, webhook_id, event_id, event_type, body)
      SELECT gen_random_uuid(), w.project_id, w.id, gen_random_uuid(), 'email.delivered', '{"data":{"to":"ada@lovelace.example"}}'
        FROM unnest($1::uuid[]) AS g(id) JOIN webhooks w ON w.id = g.id`,
    [rows],
  )
  const stop = new AbortController()
  const startedAt = performance.now()
  const running = runShaping(stop.signal)
  await vi.waitFor(async () => expect(await deliveriesOf(quick.id)).toHaveLength(1), { timeout: 10_000, interval: 10 })
  expect(performance.now() - startedAt, "milliseconds until the neighbour's event was shaped").toBeLessThan(1_000)
  stop.abort()
  await running
  const { rows: left } = await pool().query("SELECT count(*)::int AS count FROM webhook_shapings")
  expect(left[0].count, "events of the others that still wait").toBeGreaterThan(500)
  await pool().query("DELETE FROM webhook_shapings")
})
