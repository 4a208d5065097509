import { afterEach, beforeEach, expect, test, vi } from "vitest"
import { api, newWorld, type World } from "@/e2e/support/world"
import { claimSystemMails } from "@/lib/access/system-mail/data"
import { systemEmailOf } from "@/lib/access/system-mail/messages"
import { pool } from "@/lib/platform/database/db"
import { provideEnv } from "@/lib/platform/env/env"
import { encodeId } from "@/lib/platform/ids"
import { runWebhooks } from "@/lib/webhooks/delivery/worker"
import { newReceiver, type Receiver } from "@/e2e/support/webhooks/http-receiver"
import { deliveriesOf, dispatched, local, newWebhook } from "@/e2e/support/webhooks/receiver"
import { sweep } from "@/lib/worker/housekeeping"
import { systemIo } from "@/lib/regions/io"

let world: World
let receiver: Receiver
let status = 410
let stop = new AbortController()
let running: Promise<void>

beforeEach(async () => {
  provideEnv({ SMTP_URL: "smtp://127.0.0.1:9?tls=none" })
  world = await newWorld()
  receiver = await newReceiver((_, response) => response.writeHead(status).end())
  stop = new AbortController()
  running = runWebhooks({ io: systemIo(), signal: stop.signal, guard: local, intervalMs: 20 })
})
afterEach(async () => {
  stop.abort()
  await running
  receiver.close()
  provideEnv({ SMTP_URL: "" })
})

const stored = async (id: string) => (await pool().query("SELECT * FROM webhooks WHERE id = $1", [id])).rows[0]
const disabled = (id: string) =>
  vi.waitFor(async () => expect((await stored(id)).disabled_at).not.toBeNull(), { timeout: 20_000, interval: 20 })

const at = (id: string) => ({
  key: world.apiKey,
  params: { projectId: world.project, endpointId: encodeId("whk", id) },
})

async function notices() {
  const claimed = await claimSystemMails(50, 60_000)
  await pool().query("DELETE FROM system_mails")
  return claimed.map(({ mail }) => mail).filter(({ kind }) => kind === "webhook-disabled")
}

test("410 disables a webhook at once, cancels what waits, and is told to the owners and the audit log", async () => {
  status = 410
  const { id } = await newWebhook(world, receiver.url, { name: "Orders" })
  await notices()
  await dispatched(world, 40)
  await disabled(id)
  expect(await stored(id)).toMatchObject({ disabled_reason: "gone" })
  await vi.waitFor(async () => {
    const statuses = (await deliveriesOf(id)).map(({ status }) => status)
    expect(new Set(statuses)).toEqual(new Set(["failed", "cancelled"]))
  }, 5_000)
  expect(receiver.received.length).toBeLessThan(40)
  const { rows } = await pool().query(
    "SELECT actor_kind, organization_id, target, changes FROM audit_entries WHERE action = 'webhook.disabled' AND project_id = $1",
    [world.projectId],
  )
  expect(rows).toEqual([
    {
      actor_kind: "system",
      organization_id: world.organizationId,
      target: encodeId("whk", id),
      changes: { enabled: false, reason: "gone", targetName: "Orders" },
    },
  ])
  const [mail, ...more] = await notices()
  expect(more).toEqual([])
  expect(mail).toMatchObject({
    to: expect.stringMatching(/^owner-/),
    webhook: "Orders",
    host: new URL(receiver.url).host,
  })
  const email = mail && (await systemEmailOf(mail, systemIo()))
  expect(email?.subject).toBe("Webhook Orders is disabled")
  expect(email?.text).toContain("410 Gone")
  expect(email?.text).toContain(`/projects/${encodeId("proj", world.projectId)}/webhooks/${encodeId("whk", id)}\n`)
  expect(email?.text).not.toContain("undefined")

  const before = receiver.received.length
  await dispatched(world, 3)
  expect((await deliveriesOf(id)).length).toBe(40)
  expect(receiver.received).toHaveLength(before)
})

test("five days of nothing but failure disable a webhook; less, or failed tests, do not", async () => {
  status = 500
  const { id } = await newWebhook(world, receiver.url)
  const since = (interval: string) =>
    pool().query(`UPDATE webhooks SET failing_since = now() - interval '${interval}' WHERE id = $1`, [id])
  const tried = (count: number) =>
    vi.waitFor(
      async () =>
        expect((await deliveriesOf(id)).reduce((sum, { attempt_count }) => sum + attempt_count, 0)).toBe(count),
      5_000,
    )
  await notices()
  await since("4 days 23 hours")
  await dispatched(world, 1)
  await tried(1)
  expect((await stored(id)).disabled_at).toBeNull()
  await since("5 days 1 minute")
  await dispatched(world, 1)
  await disabled(id)
  expect(await stored(id)).toMatchObject({ disabled_reason: "failing" })
  expect(await notices()).toHaveLength(1)
})

test("a silence is no failure: a failure weeks after the last one, a test that succeeded or a new address begins anew", async () => {
  status = 500
  const { id } = await newWebhook(world, receiver.url)
  const failed = (before: string) =>
    pool().query(
      `UPDATE webhooks SET failing_since = now() - interval '60 days', last_failed_at = now() - interval '${before}' WHERE id = $1`,
      [id],
    )
  const failsAgain = async (count: number) => {
    await dispatched(world, 1)
    await vi.waitFor(async () => expect(await deliveriesOf(id)).toHaveLength(count), 5_000)
    await vi.waitFor(
      async () => expect((await deliveriesOf(id)).every(({ attempt_count }) => attempt_count > 0)).toBe(true),
      5_000,
    )
    expect((await stored(id)).disabled_at, `after failure ${count}`).toBeNull()
  }
  await failed("57 days")
  await failsAgain(1)

  await failed("1 hour")
  status = 200
  const tested = await api("POST /v1/projects/{projectId}/webhooks/{endpointId}/test", at(id))
  expect(tested.status).toBe(202)
  await vi.waitFor(async () => expect((await stored(id)).failing_since, "after a test").toBeNull(), 5_000)

  status = 500
  await failed("1 hour")
  const change = { body: { url: "https://8.8.8.8/moved" } }
  const moved = await api("PATCH /v1/projects/{projectId}/webhooks/{endpointId}", { ...at(id), ...change })
  expect(moved.status).toBe(200)
  expect((await stored(id)).failing_since, "at another address").toBeNull()
})

test("the sweep cancels what a disabled webhook has left, and removes deleted webhooks with their history", async () => {
  stop.abort()
  await running
  const [off, deleted] = [await newWebhook(world, receiver.url), await newWebhook(world, receiver.url)]
  await dispatched(world, 3)
  await pool().query("UPDATE webhooks SET disabled_at = now() WHERE id = $1", [off.id])
  await pool().query("UPDATE webhooks SET deleted_at = now() WHERE id = $1", [deleted.id])
  while (await sweep());
  expect((await deliveriesOf(off.id)).map(({ status }) => status)).toEqual(["cancelled", "cancelled", "cancelled"])
  expect(await deliveriesOf(deleted.id)).toEqual([])
  expect(await stored(deleted.id)).toBeUndefined()
})

test("what a former URL answers late neither disables the webhook nor counts against its new URL", async () => {
  status = 200
  const late: (() => void)[] = []
  const former = await newReceiver((_, response) => void late.push(() => void response.writeHead(410).end()))
  const { id } = await newWebhook(world, former.url)
  await dispatched(world, 1)
  await vi.waitFor(() => expect(late).toHaveLength(1), 5_000)
  await pool().query("UPDATE webhooks SET url = $2 WHERE id = $1", [id, receiver.url])
  late[0]?.()
  await vi.waitFor(async () => expect(await deliveriesOf(id)).toMatchObject([{ last_status_code: 410 }]), 5_000)
  await dispatched(world, 1)
  await vi.waitFor(() => expect(receiver.received, "requests to the new URL").toHaveLength(1), 5_000)
  expect(await stored(id)).toMatchObject({ disabled_at: null, failing_since: null, last_failed_at: null })
  former.close()
})
