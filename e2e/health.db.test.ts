import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest"
import { GET } from "@/app/health/route"
import { api, newSession, newWorld, sessionCookie } from "@/e2e/support/world"
import { newSending, sendMail } from "@/e2e/support/delivery/sending"
import { pool } from "@/lib/platform/database/db"
import { newId } from "@/lib/platform/ids"
import { registry } from "@/lib/platform/metrics"
import { measureQueue } from "@/lib/server/metrics/server"
import { dispatched, newWebhook } from "@/e2e/support/webhooks/receiver"

// The first answer loads and connects, which may take a busy machine longer than the second that an answer has.
beforeAll(() => health({}))
afterEach(() => pool().query("DELETE FROM region_outages"))

const health = (headers: Record<string, string>) => GET(new Request("http://mailroom.test/health", { headers }))

async function outage() {
  await pool().query(
    `INSERT INTO region_outages (route, phase, diagnostic, next_probe_at) VALUES ('eu-west-1', 'connect', 'connect ECONNREFUSED 10.0.0.1:25', now())`,
  )
}

test("a stranger learns of the installation one word, and nothing of regions, queue or database", async () => {
  await outage()
  const answer = await health({ "x-client-ip": "203.0.113.7" })
  expect(answer.status).toBe(200)
  expect(await answer.json()).toEqual({ status: "degraded" })
})

test("loopback reads which region cannot reach its relay, since when, why, and how many emails wait", async () => {
  const sender = await newSending()
  await pool().query("UPDATE deliveries SET due_at = NULL")
  await sendMail(sender)
  await outage()
  const details = await (await health({ "x-client-ip": "127.0.0.1" })).json()
  expect(details).toMatchObject({ status: "degraded", database: { status: "up" }, queue: { due: 1 } })
  const found = details.regions.find(({ region }: { region: string }) => region === "eu-west-1")
  expect(found).toMatchObject({ status: "down", waiting: 1, since: expect.any(String) })
  expect(found.message).toMatch(
    /^Region eu-west-1 has not reached its relay since \d{4}-\d\d-\d\d \d\d:\d\d UTC: connection refused\. 1 email waits; Mailroom checks every/,
  )

  await pool().query("DELETE FROM region_outages")
  expect(await (await health({ "x-client-ip": "::1" })).json()).toMatchObject({ status: "ok" })
})

test("a signed-in user reads the details from anywhere; a cookie without a live session shows none", async () => {
  const { userId } = await newWorld()
  await outage()
  const from = { "x-client-ip": "203.0.113.7" }
  const details = await (await health({ ...from, cookie: await newSession(userId) })).json()
  expect(details).toMatchObject({ status: "degraded", database: { status: "up" }, queue: { due: expect.any(Number) } })
  expect(details.regions).toContainEqual(expect.objectContaining({ region: "eu-west-1", status: "down" }))

  const strangers = [await sessionCookie(newId()), (await newSession(userId)).replace(/.{4}$/, "AAAA"), "other=1"]
  for (const cookie of strangers)
    expect(await (await health({ ...from, cookie })).json()).toEqual({ status: "degraded" })
})

test("a project reads the state of its home region with its own emails alone", async () => {
  const [sender, neighbour] = [await newSending(), await newWorld({ region: "eu-west-1" })]
  await sendMail(sender)
  await outage()
  const region = async ({ project, apiKey }: { project: string; apiKey: string }) =>
    (await api("GET /v1/projects/{projectId}/region", { key: apiKey, params: { projectId: project } })).json
  expect(await region(neighbour)).toMatchObject({ region: "eu-west-1", status: "down", waiting: 0 })
  expect(await region(sender)).toMatchObject({ region: "eu-west-1", status: "down", waiting: 1 })
})

describe("what stands still for more than a minute is named", () => {
  const late = "now() - interval '61 seconds'"
  const details = async () => (await health({ "x-client-ip": "127.0.0.1" })).json()
  const clear = () =>
    pool().query(`UPDATE deliveries SET due_at = NULL; UPDATE webhook_deliveries SET due_at = NULL;
      UPDATE emails SET due_at = NULL; DELETE FROM events WHERE seq IS NULL; DELETE FROM webhook_hours`)
  beforeEach(clear)
  afterAll(clear)

  test("email, unless its region is down, its rate is used up, or its project is suspended", async () => {
    const sender = await newSending()
    await sendMail(sender)
    await pool().query("DELETE FROM events WHERE seq IS NULL")
    expect(await details()).toMatchObject({ status: "ok", overdue: [] })
    await pool().query(`UPDATE deliveries SET due_at = ${late} WHERE project_id = $1`, [sender.projectId])
    expect(await details()).toMatchObject({ status: "degraded", overdue: ["mail"] })
    expect(await (await health({ "x-client-ip": "203.0.113.7" })).json()).toEqual({ status: "degraded" })

    await outage()
    expect(await details()).toMatchObject({ status: "degraded", overdue: [] })
    await pool().query("DELETE FROM region_outages")

    const bucket = (tokens: number) =>
      pool().query(
        `INSERT INTO delivery_allowances (project_id, tokens, refilled_at) VALUES ($1, $2, now())
          ON CONFLICT (project_id) DO UPDATE SET tokens = $2, refilled_at = now()`,
        [sender.projectId, tokens],
      )
    await bucket(0)
    expect(await details()).toMatchObject({ status: "ok", overdue: [] })
    await bucket(1_000_000)
    expect(await details()).toMatchObject({ status: "degraded", overdue: ["mail"] })
    await pool().query("UPDATE projects SET suspended_at = now() WHERE id = $1", [sender.projectId])
    expect(await details()).toMatchObject({ status: "ok", overdue: [] })
    await pool().query("UPDATE projects SET suspended_at = NULL WHERE id = $1", [sender.projectId])
  })

  test("scheduled email that is not released, and events that are not numbered", async () => {
    const sender = await newSending()
    await sendMail(sender, { scheduledAt: new Date(Date.now() + 3_600_000).toISOString() })
    expect(await details()).toMatchObject({ status: "ok", overdue: [] })
    await pool().query(`UPDATE emails SET due_at = ${late} WHERE project_id = $1`, [sender.projectId])
    expect(await details()).toMatchObject({ status: "degraded", overdue: ["mail"] })
    await clear()
    await sendMail(sender)
    await pool().query(`UPDATE events SET created_at = ${late} WHERE seq IS NULL`)
    expect(await details()).toMatchObject({ status: "degraded", overdue: ["events"] })
  })

  test("webhook deliveries, unless the webhook is disabled, or its own endpoint is what they wait for", async () => {
    const world = await newWorld()
    const { id } = await newWebhook(world, "https://hooks.example.com/")
    await dispatched(world, 3)
    expect(await details()).toMatchObject({ status: "ok", overdue: [] })
    await pool().query(`UPDATE webhook_deliveries SET due_at = ${late} WHERE webhook_id = $1`, [id])
    expect(await details()).toMatchObject({ status: "degraded", overdue: ["webhooks"] })

    await pool().query("UPDATE webhooks SET disabled_at = now() WHERE id = $1", [id])
    expect(await details()).toMatchObject({ status: "ok", overdue: [] })
    await pool().query("UPDATE webhooks SET disabled_at = NULL WHERE id = $1", [id])

    await pool().query(
      "INSERT INTO webhook_hours (project_id, webhook_id, hour, last_failed_at) VALUES ($1, $2, date_trunc('hour', now()), now() - interval '20 seconds')",
      [world.projectId, id],
    )
    expect(await details()).toMatchObject({ status: "ok", overdue: [] })
    await pool().query(
      "UPDATE webhook_hours SET last_failed_at = now() - interval '70 seconds' WHERE webhook_id = $1",
      [id],
    )
    expect(await details()).toMatchObject({ status: "degraded", overdue: ["webhooks"] })
    await pool().query(
      `UPDATE webhook_deliveries SET status = 'processing', due_at = now() + interval '50 seconds'
        WHERE id = (SELECT id FROM webhook_deliveries WHERE webhook_id = $1 LIMIT 1)`,
      [id],
    )
    expect(await details()).toMatchObject({ status: "ok", overdue: [] })
  })
})

test("returned mail that nobody reads makes the installation degraded, and a scrape shows how many wait, and for how long", async () => {
  await pool().query("DELETE FROM inbound_messages")
  await pool().query(
    `INSERT INTO inbound_messages (id, door, mail_from, rcpt_to, client, helo, size, digest, raw, operator_reason, due_at)
      VALUES ($1, 'mailbox', '', 'postmaster@mailroom.test', '203.0.113.5', 'mx.lovelace.example', 1, $2, $2, 'written', now())`,
    [newId(), Buffer.from("a")],
  )
  const asked = async () => (await health({ "x-client-ip": "127.0.0.1" })).json()
  const waitedFor = (seconds: number) =>
    pool().query("UPDATE inbound_messages SET due_at = now() - make_interval(secs => $1)", [seconds])
  await waitedFor(50)
  expect((await asked()).overdue).not.toContain("returned_mail")
  await waitedFor(70)
  const stalled = await asked()
  expect(stalled).toMatchObject({ status: "degraded", returnedMail: { waiting: 1, forOperator: { written: 1 } } })
  expect(stalled.overdue).toContain("returned_mail")
  expect(stalled.returnedMail.oldestWaitingSeconds).toBeGreaterThanOrEqual(70)

  await measureQueue()()
  const metrics = await registry().metrics()
  expect(metrics).toMatch(/^mailroom_returned_mail_waiting 1$/m)
  expect(Number(/^mailroom_returned_mail_oldest_waiting_seconds (.+)$/m.exec(metrics)?.[1])).toBeGreaterThanOrEqual(70)
  await pool().query("DELETE FROM inbound_messages")
})

test("a scrape tells what runs, how many emails wait for their time, what is due to webhooks, and what stands still", async () => {
  await pool().query("UPDATE emails SET due_at = NULL")
  await pool().query("UPDATE webhook_deliveries SET due_at = NULL")
  const sender = await newSending()
  await sendMail(sender, { scheduledAt: new Date(Date.now() + 3_600_000).toISOString() })
  const world = await newWorld()
  const { id: on } = await newWebhook(world, "https://hooks.example.com/")
  const { id: off } = await newWebhook(world, "https://hooks.example.com/")
  await dispatched(world, 2)
  await pool().query(
    "UPDATE webhook_deliveries SET due_at = now() - interval '90 seconds' WHERE webhook_id = ANY ($1)",
    [[on, off]],
  )
  await pool().query("UPDATE webhooks SET disabled_at = now() WHERE id = $1", [off])
  await measureQueue()()
  const metrics = await registry().metrics()
  const valueOf = (name: string) => Number(new RegExp(`^${name} (.+)$`, "m").exec(metrics)?.[1])
  expect(metrics).toMatch(/^mailroom_build_info\{version="\d+\.\d+\.\d+",node="\d+\.\d+\.\d+"\} 1$/m)
  expect(valueOf("mailroom_emails_scheduled")).toBe(1)
  expect(valueOf("mailroom_webhook_due_deliveries"), "not those of the webhook that is disabled").toBe(2)
  expect(valueOf("mailroom_webhook_oldest_due_seconds")).toBeGreaterThanOrEqual(90)
  expect(valueOf('mailroom_work_overdue\\{work="webhooks"\\}')).toBe(1)
  expect(valueOf('mailroom_work_overdue\\{work="returned_mail"\\}')).toBe(0)
})
