import { expect, test, vi } from "vitest"
import { api, newWorld } from "@/e2e/support/world"
import { pool } from "@/lib/platform/database/db"
import { encodeId, newId } from "@/lib/platform/ids"
import { deliveriesOf, dispatched, newWebhook } from "@/lib/webhooks/testing/receiver"
import { runShaping } from "@/lib/webhooks/shaping-sql"
import { dispatchOnce } from "@/lib/worker/dispatcher"

/** What one person with ordinary rights can describe: some 100 MB of text an event, were it not bounded. */
const amplifying = [
  { type: "rename_field", from: "data", to: "a" },
  ...Array.from({ length: 11 }, (_, at) => {
    return { type: "compute_field", field: `a.f${at}`, template: "\u0001".repeat(2_000) }
  }),
  ...Array.from({ length: 8 }, (_, at) => ({ type: "compute_field", field: `g${at}`, template: "{{a}}".repeat(400) })),
]

test("a webhook whose transformations amplify fails alone, with its reason; a neighbour's webhooks and the order of events do not wait", async () => {
  const [attacker, neighbour] = [await newWorld(), await newWorld()]
  const hostile = await newWebhook(attacker, "https://hooks.example.com/x", { transformations: amplifying })
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
    timeout: 5_000,
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
})

test("a webhook that has failed in this way for more than five days is disabled", async () => {
  const world = await newWorld()
  const { id } = await newWebhook(world, "https://hooks.example.com/x", { transformations: amplifying })
  await pool().query("UPDATE webhooks SET failing_since = now() - interval '6 days' WHERE id = $1", [id])
  await dispatched(world, 1)
  const { rows } = await pool().query<{ reason: string }>(
    "SELECT disabled_reason AS reason FROM webhooks WHERE id = $1",
    [id],
  )
  expect(rows).toEqual([{ reason: "failing" }])
})

test("a test of such a webhook is stored as failed, and the preview says why in bounded time", async () => {
  const world = await newWorld()
  const { id } = await newWebhook(world, "https://hooks.example.com/x", { transformations: amplifying })
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
