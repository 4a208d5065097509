import { beforeAll, expect, test } from "vitest"
import { api, newSession } from "@/e2e/support/world"
import { endpoints } from "@/lib/api/registry"
import { pool } from "@/lib/platform/database/db"
import { encodeId } from "@/lib/platform/ids"
import { fillDemo, type Demo } from "@/lib/demo/fill"

const plan = { passwordHash: "none", now: new Date(), emails: 1_500, withQueue: true }
let demo: Demo
let cookie: string

beforeAll(async () => {
  const filled = await fillDemo(plan)
  if (!filled) throw new Error("The demo was there already.")
  demo = filled
  cookie = await newSession(demo.userId)
})

const rows = async <T>(sql: string) => (await pool().query(sql, [demo.projectId])).rows as T[]
const count = async (from: string) =>
  (await rows<{ count: number }>(`SELECT count(*)::int AS count FROM ${from}`))[0]?.count

test("has the requested number of emails, over 30 days, none in the future, each with its history", async () => {
  expect(await count("emails WHERE project_id = $1")).toBe(1_500)
  expect(await count("email_bodies WHERE project_id = $1 AND html IS NOT NULL")).toBe(1_500)
  expect(await count("deliveries WHERE project_id = $1")).toBe(1_500)
  expect(await count("events WHERE project_id = $1")).toBe(demo.events)
  expect(await count("events WHERE project_id = $1 AND occurred_at > now()")).toBe(0)
  const [span] = await rows<{ days: number }>(
    "SELECT extract(day FROM max(created_at) - min(created_at))::int AS days FROM emails WHERE project_id = $1",
  )
  expect(span?.days).toBeGreaterThanOrEqual(28)
  const kinds = await rows<{ status: string }>("SELECT DISTINCT status FROM emails WHERE project_id = $1")
  expect(kinds.map(({ status }) => status)).toEqual(
    expect.arrayContaining([
      "bounced",
      "clicked",
      "delivered",
      "delivery_delayed",
      "opened",
      "scheduled",
      "suppressed",
    ]),
  )
})

test("the dashboard's figures are those of the rows: summary, list, usage of keys", async () => {
  const summary = (await api("GET /v1/metrics/summary", { cookie, query: { window: "90d", projectId: demo.project } }))
    .json
  const of = (type: string, more = "") =>
    count(`(SELECT DISTINCT delivery_id FROM events WHERE project_id = $1 AND type = '${type}' ${more}) e`)
  expect(summary).toMatchObject({
    sent: await count("deliveries WHERE project_id = $1 AND (sent_at IS NOT NULL OR status = 'bounced')"),
    delivered: await of("delivered"),
    bounced: await of("bounced", "AND data->>'bounceType' = 'hard'"),
    opened: await of("opened", "AND data->>'machine' IS NULL"),
    clicked: await of("clicked"),
    complained: await of("complained"),
  })
  expect(summary.openRate).toBeGreaterThan(0.3)
  expect(summary.bounceRate).toBeLessThan(0.03)
  const params = { projectId: demo.project }
  const list = (await api("GET /v1/projects/{projectId}/emails", { cookie, params })).json
  expect(list.page.total).toBe(1_500)
  const opened = (await api("GET /v1/projects/{projectId}/emails", { cookie, params, query: { status: "bounced" } }))
    .json
  expect(opened.page.total).toBe(await count("emails WHERE project_id = $1 AND status = 'bounced'"))
  const used = await rows<{ agrees: boolean }>(
    `SELECT k.request_count = (SELECT count(*) FROM api_key_requests r WHERE r.key_id = k.id)
        AND k.last_request_at = (SELECT max(created_at) FROM api_key_requests r WHERE r.key_id = k.id) AS agrees
      FROM api_keys k WHERE k.project_id = $1`,
  )
  expect(used.map(({ agrees }) => agrees)).toEqual([true, true, true, true, true])
})

test("every status follows from the events of its email, and every bounce has its SMTP line and its suppression", async () => {
  expect(
    await count(`emails e WHERE e.project_id = $1 AND e.status = 'opened'
    AND NOT EXISTS (SELECT 1 FROM events v WHERE v.email_id = e.id AND v.type = 'opened' AND v.data->>'machine' IS NULL)`),
  ).toBe(0)
  expect(
    await count(`deliveries d WHERE d.project_id = $1 AND d.bounce_type = 'hard'
    AND NOT EXISTS (SELECT 1 FROM suppressions s WHERE s.project_id = $1 AND s.email = d.canonical)`),
  ).toBe(0)
  expect(
    await count(`deliveries d WHERE d.project_id = $1 AND d.status = 'bounced' AND NOT EXISTS (
    SELECT 1 FROM delivery_attempts a WHERE a.delivery_id = d.id AND a.outcome = 'refused' AND a.text ~ '^5[.]' AND a.conversation LIKE '%S: ' || a.code || ' ' || a.text)`),
  ).toBe(0)
  expect(await count("suppressions WHERE project_id = $1 AND reason = 'manual'")).toBe(12)
})

test("one person has an invoice that bounced, and is suppressed since", async () => {
  const [invoice, ...others] = await rows<{ subject: string; status: string; reason: string }>(
    `SELECT e.subject, e.status, s.reason FROM emails e JOIN deliveries d ON d.email_id = e.id
      JOIN suppressions s ON s.project_id = e.project_id AND s.email = d.canonical
      WHERE e.project_id = $1 AND d.canonical LIKE 'ann.%'`,
  )
  expect(invoice).toMatchObject({ status: "bounced", reason: "bounce" })
  expect(invoice?.subject).toMatch(/^Invoice for order \d+$/)
  expect(others).toEqual([])
})

test("an email's events have the order in which they happened, in time, ids and the stream: sent before delivered", async () => {
  const [{ pairs, wrong } = { pairs: 0, wrong: 0 }] = await rows<{ pairs: number; wrong: number }>(
    `SELECT count(*)::int AS pairs, count(*) FILTER (WHERE s.id > d.id OR s.seq > d.seq OR s.occurred_at > d.occurred_at)::int AS wrong
      FROM events s JOIN events d ON d.delivery_id = s.delivery_id AND d.type = 'delivered'
      WHERE s.project_id = $1 AND s.type = 'sent'`,
  )
  expect(pairs).toBeGreaterThan(1_000)
  expect(wrong).toBe(0)
  expect(
    await count(`(SELECT occurred_at < lag(occurred_at) OVER (PARTITION BY email_id ORDER BY seq) AS backwards
      FROM events WHERE project_id = $1) e WHERE backwards`),
  ).toBe(0)
})

test("has domains in every state, with what is wrong and the checks that found it", async () => {
  const params = { projectId: demo.project }
  const { json } = await api("GET /v1/projects/{projectId}/domains", { cookie, params })
  const states = Object.fromEntries(
    json.data.map(({ domain, status }: { domain: string; status: string }) => [domain, status]),
  )
  expect(states).toEqual({
    "harborpine.test": "verified",
    "news.harborpine.example": "verified",
    "support.harborpine.example": "degraded",
    "shop-harborpine.example": "pending",
    "harborpine-wholesale.example": "failed",
  })
  const pending = json.data.find(({ status }: { status: string }) => status === "pending")
  const detail = (
    await api("GET /v1/projects/{projectId}/domains/{domainId}", {
      cookie,
      params: { ...params, domainId: pending.id },
    })
  ).json
  expect(JSON.stringify(detail)).toContain("doubled-zone")
})

test("pages of an email and of the mailbox have what they show", async () => {
  const [bounced] = await rows<{ id: string }>(
    "SELECT id FROM emails WHERE project_id = $1 AND status = 'bounced' LIMIT 1",
  )
  const emailId = encodeId("email", bounced?.id ?? "")
  const call = { cookie, query: { projectId: demo.project } }
  expect((await api("GET /v1/emails/{emailId}", { ...call, params: { emailId } })).status).toBe(200)
  const { json: mailbox } = await api("GET /v1/projects/{projectId}/sandbox/messages", {
    cookie,
    params: { projectId: demo.project },
  })
  expect(mailbox.page.total).toBe(24)
  const found = async (search: string) =>
    (
      await api("GET /v1/projects/{projectId}/sandbox/messages", {
        cookie,
        params: { projectId: demo.project },
        query: { search },
      })
    ).json.data as { to: string }[]
  const { to } = mailbox.data[0]
  expect((await found(to.toUpperCase())).map((message) => message.to)).toContain(to)
  expect(await found("%")).toEqual([])
  const params = { projectId: demo.project, messageId: mailbox.data[0].id }
  const { json: message } = await api("GET /v1/projects/{projectId}/sandbox/messages/{messageId}", { cookie, params })
  expect(message.text.length > 50).toBe(true)
  expect(message.html.includes("<p>")).toBe(true)
})

test("the letters are broadcasts with results that agree with their emails, and there is a draft of the next", async () => {
  const params = { projectId: demo.project }
  const { data } = (await api("GET /v1/projects/{projectId}/broadcasts", { cookie, params })).json
  expect(data.map(({ status }: { status: string }) => status)).toEqual(["draft", "sent", "sent", "sent", "sent"])
  let opened = 0
  for (const { id, counts } of data.slice(1)) {
    const of = async (status: string) =>
      (await api("GET /v1/projects/{projectId}/emails", { cookie, params, query: { broadcastId: id, status } })).json
        .page.total
    expect(counts.accepted + counts.excluded.suppressed).toBe(counts.recipients)
    expect(counts.clicked).toBe(await of("clicked"))
    opened += counts.opened
    const call = { cookie, params: { ...params, broadcastId: id } }
    const links = (await api("GET /v1/projects/{projectId}/broadcasts/{broadcastId}/links", call)).json
    expect(links.data.reduce((sum: number, { people }: { people: number }) => sum + people, 0)).toBe(counts.clicked)
  }
  // Of so few emails a single one may have been opened by nobody.
  expect(opened, "opens of all four").toBeGreaterThan(0)
  const draft = { cookie, params: { ...params, broadcastId: data[0].id }, body: {} }
  const preview = (await api("POST /v1/projects/{projectId}/broadcasts/{broadcastId}/preview", draft)).json
  expect(preview.text).toMatch(/^Good morning \w+,\n\nthe workshop in \w+/)
})

test("templates, an import and a webhook have their history, and the limit of today counts the emails of today", async () => {
  const params = { projectId: demo.project }
  const list = async (route: Parameters<typeof api>[0]) => (await api(route, { cookie, params })).json.data
  const templates = await list("GET /v1/projects/{projectId}/templates")
  expect(templates.map(({ version }: { version: number }) => version).sort()).toEqual([0, 1, 3])
  const [imported] = await list("GET /v1/projects/{projectId}/contact-imports")
  const { created, updated, failed, processed } = imported
  expect([imported.status, created + updated + failed]).toEqual(["completed", processed])
  expect(await count("import_errors WHERE project_id = $1")).toBe(failed)
  const [webhook] = await list("GET /v1/projects/{projectId}/webhooks")
  const week = "occurred_at > now() - interval '6 days' AND type IN ('bounced', 'complained')"
  expect(await count("webhook_deliveries WHERE project_id = $1")).toBeGreaterThanOrEqual(
    (await count(`events WHERE project_id = $1 AND ${week}`)) ?? 0,
  )
  expect(webhook.health.failed ?? 0).toBe(0)
  const { limits } = (await api("GET /v1/projects/{projectId}/settings", { cookie, params })).json
  expect(limits.dailySends.used).toBe(
    await count(
      `emails WHERE project_id = $1 AND status <> 'suppressed' AND created_at >= date_trunc('day', now(), 'UTC')`,
    ),
  )
})

test("the customers are contacts, and the kept counts of topics and segments are those of the rows", async () => {
  expect(await count("contacts WHERE project_id = $1")).toBe(250)
  expect(await count("contacts c WHERE c.project_id = $1 AND c.unsubscribed")).toBe(
    await count("suppressions WHERE project_id = $1 AND reason = 'unsubscribe'"),
  )
  expect(
    await count(`topics t, waiting_counts(t.id) w WHERE t.project_id = $1 AND (t.opt_in_count + w.included, t.opt_out_count + w.opposed)
    = (SELECT count(*) FILTER (WHERE subscription = 'opt_in'), count(*) FILTER (WHERE subscription = 'opt_out') FROM topic_preferences p WHERE p.topic_id = t.id)`),
  ).toBe(3)
  expect(
    await count(
      "topic_hours h JOIN topics t ON t.id = h.topic_id WHERE h.project_id = $1 AND t.name = 'The Friday Letter' AND h.delivered > 0",
    ),
  ).toBeGreaterThanOrEqual(4)
  expect(
    await count(`segments s, waiting_counts(s.id) w WHERE s.project_id = $1 AND s.filter IS NULL
    AND s.contact_count + w.included = (SELECT count(*) FROM segment_members m WHERE m.segment_id = s.id)`),
  ).toBe(2)
  expect(await count("segments WHERE project_id = $1 AND filter IS NOT NULL AND pass_due_at IS NOT NULL")).toBe(2)
})

const reads = endpoints.filter(
  ({ route, path = {}, access }) =>
    /^GET .*[{]projectId[}]/.test(route) && Object.keys(path).length === 0 && access.credential !== "none",
)

test.each(reads.map(({ route }) => [route]))("%s answers for what the demo has written", async (route) => {
  const query: Record<string, string> = route.endsWith("/search") ? { text: "Friday" } : {}
  const { status, json, response } = await api(route, { cookie, params: { projectId: demo.project }, query })
  // An export holds one of its project's places until its client has gone.
  await response.body?.cancel()
  expect([status, status < 300 ? "" : json]).toEqual([200, ""])
})

test("a second time is refused, and changes nothing", async () => {
  expect(await fillDemo(plan)).toBeNull()
  expect(await count("emails WHERE project_id = $1")).toBe(1_500)
})
