import pg from "pg"
import { afterAll, beforeAll, expect, test, vi } from "vitest"
import { size } from "@/e2e/support/chaos/size"
import { newSending, type Sending } from "@/e2e/support/delivery/sending"
import { pool, type Queryable } from "@/lib/platform/database/db"
import { env } from "@/lib/platform/env/env"
import { newId } from "@/lib/platform/ids"
import { log } from "@/lib/platform/log"
import { sweepSteps } from "@/lib/worker/removal-sql"
import { sweep } from "@/lib/worker/housekeeping"

let sender: Sending
let bare: pg.Client

beforeAll(async () => {
  sender = await newSending()
  // Rows of any age, whose parents do not matter here.
  bare = new pg.Client({ connectionString: env().databaseUrl })
  await bare.connect()
  await bare.query("SET session_replication_role = replica")
})
afterAll(() => bare.end())

const of = (name: string) => sweepSteps.find((step) => step.name === name) ?? expect.fail(name)

/** $1 is how many days ago. */
const aged = [
  [
    "sessions",
    30,
    "INSERT INTO sessions (id, user_id, expires_at, ip) VALUES (gen_random_uuid(), gen_random_uuid(), now() - make_interval(days => $1), '192.0.2.1')",
  ],
  [
    "invites",
    90,
    "INSERT INTO invites (id, organization_id, email, role, token_hash, expires_at) VALUES (gen_random_uuid(), gen_random_uuid(), 'a@example.com', 'viewer', decode(md5($1::int::text), 'hex'), now() - make_interval(days => $1))",
  ],
  [
    "import errors",
    90,
    "INSERT INTO import_errors (project_id, import_id, line, faults) VALUES (gen_random_uuid(), first_id_at(now() - make_interval(days => $1)), 2, '[]')",
  ],
  [
    "returned mail",
    30,
    "INSERT INTO inbound_messages (id, door, mail_from, rcpt_to, client, helo, size, digest, raw) VALUES (first_id_at(now() - make_interval(days => $1)), 'feedback', '', 'fbl', '127.0.0.1', 'x', 0, decode(md5($1::int::text), 'hex'), '')",
  ],
  [
    "quota days",
    90,
    "INSERT INTO quota_days (organization_id, day) VALUES (gen_random_uuid(), (now() - make_interval(days => $1))::date)",
  ],
  [
    "webhook deliveries",
    90,
    "INSERT INTO webhook_deliveries (id, project_id, webhook_id, event_id, event_type, body, status) VALUES (first_id_at(now() - make_interval(days => $1)), gen_random_uuid(), gen_random_uuid(), gen_random_uuid(), 'email.sent', '{}', 'success')",
  ],
  [
    "contact activities",
    400,
    "INSERT INTO contact_activities (id, project_id, contact_id, type, occurred_at) VALUES (gen_random_uuid(), gen_random_uuid(), gen_random_uuid(), 'x', now() - make_interval(days => $1))",
  ],
  [
    "metric hours",
    400,
    "INSERT INTO metric_hours (project_id, hour) VALUES (gen_random_uuid(), now() - make_interval(days => $1))",
  ],
  [
    "topic hours",
    400,
    "INSERT INTO topic_hours (project_id, topic_id, hour) VALUES (gen_random_uuid(), gen_random_uuid(), now() - make_interval(days => $1))",
  ],
  [
    "provider events",
    90,
    "INSERT INTO provider_events (provider, event_id, created_at) VALUES ('x', $1::int::text, now() - make_interval(days => $1))",
  ],
] as const

test.each(aged)("%s are kept %i days and then deleted, the oldest found by an index", async (name, days, insert) => {
  await bare.query(insert, [days - 1])
  for (const more of [1, 2, 300]) await bare.query(insert, [days + more])
  expect(await of(name).run(pool())).toBe(3)
  expect(await of(name).run(pool())).toBe(0)
  const { plan } = await explained(name)
  expect(/Index (Only )?Scan"/.test(plan)).toBe(true)
  expect(plan.includes('"Seq Scan"')).toBe(false)
})

test("a body of 200 days is emptied, and so is one whose first sweep was missed for a year", async () => {
  const bodies = [await bodyDaysAgo(200), await bodyDaysAgo(500), await bodyDaysAgo(80)]
  while (await sweep());
  const { rows } = await pool().query(
    "SELECT email_id AS id FROM email_bodies WHERE email_id = ANY ($1) AND text IS NULL ORDER BY 1",
    [bodies],
  )
  expect(rows.map(({ id }) => id).sort()).toEqual([bodies[0], bodies[1]].sort())
})

test("a broadcast that ended as long ago as bodies are kept loses its attachments and keeps the rest", async () => {
  const add = async (daysAgo: number | null) => {
    const { rows } = await bare.query<{ id: string }>(
      `INSERT INTO broadcasts (id, project_id, status, subject, from_header, entries, content, ended_at)
        VALUES (gen_random_uuid(), $1, 'cancelled', 's', 'a@x', '{}', '{"html": "<p>Hi</p>", "attachments": [{}]}',
          now() - make_interval(days => $2)) RETURNING id`,
      [sender.projectId, daysAgo],
    )
    return rows[0]?.id
  }
  const [old, fresh, open] = [await add(100), await add(80), await add(null)]
  const changed = () => pool().query("SELECT max(updated_at) AS at FROM broadcasts WHERE id = $1", [old])
  const before = (await changed()).rows
  while (await sweep());
  // Nobody has changed it.
  expect((await changed()).rows).toEqual(before)
  const { rows } = await pool().query<{ id: string; kept: string[] }>(
    "SELECT id, ARRAY(SELECT jsonb_object_keys(content) ORDER BY 1) AS kept FROM broadcasts WHERE id = ANY ($1)",
    [[old, fresh, open]],
  )
  const all = ["attachments", "html"]
  expect(new Map(rows.map(({ id, kept }) => [id, kept]))).toEqual(
    new Map([
      [old, ["html"]],
      [fresh, all],
      [open, all],
    ]),
  )
})

test("a message that is still scheduled or still due keeps its content, however short bodies are kept", async () => {
  const [scheduled = "", due = ""] = [await bodyDaysAgo(120), await bodyDaysAgo(120)]
  const add = (email: string, status: string, dueAt: Date | null) =>
    bare.query(
      `INSERT INTO deliveries (id, project_id, email_id, region, queue_id, role, address, canonical, status, due_at)
        SELECT gen_random_uuid(), $1, $2, q.region, q.id, 'to', 'a@x', 'a@x', $3, $4
          FROM delivery_queues q WHERE q.region = 'eu-west-1' AND q.kind = 'general'`,
      [sender.projectId, email, status, dueAt],
    )
  await add(scheduled, "scheduled", null)
  await add(due, "delivery_delayed", new Date())
  while (await sweep());
  const { rows } = await pool().query("SELECT text FROM email_bodies WHERE email_id = ANY ($1)", [[scheduled, due]])
  expect(rows).toEqual([{ text: "Hi" }, { text: "Hi" }])
})

test("what still waits for a worker or an endpoint is not removed, however short it is kept", async () => {
  const [route, webhook] = [newId(), newId()]
  const receive = (dueAt: Date | null) =>
    bare.query(
      `INSERT INTO inbound_messages (id, door, project_id, route_id, mail_from, rcpt_to, client, helo, size, digest, raw, due_at, keep_until)
        VALUES (gen_random_uuid(), 'route', $1, $2, 'a@x', 'b@x', '127.0.0.1', 'x', 0, decode(md5(random()::text), 'hex'), '', $3, now() - interval '1 day')`,
      [sender.projectId, route, dueAt],
    )
  await receive(new Date())
  await receive(null)
  const call = (dueAt: Date | null) =>
    bare.query(
      `INSERT INTO webhook_deliveries (id, project_id, webhook_id, event_id, event_type, body, status, due_at)
        VALUES (first_id_at(now() - interval '100 days' + random() * interval '1 hour'), $1, $2, gen_random_uuid(), 'email.sent', '{}', $3, $4)`,
      [sender.projectId, webhook, dueAt ? "pending" : "success", dueAt],
    )
  await call(new Date())
  await call(null)
  const hit = (days: number, dueAt: Date | null) =>
    bare.query(
      `INSERT INTO tracking_hits (id, project_id, email_id, delivery_id, kind, number, client, at, due_at)
        VALUES (gen_random_uuid(), $1, gen_random_uuid(), gen_random_uuid(), 'click', 0, 'c', now() - make_interval(days => $2), $3)`,
      [sender.projectId, days, dueAt],
    )
  await hit(3, new Date())
  await hit(3, null)
  while (await sweep());
  const left = async (table: string, column: string, id: string) =>
    (await pool().query(`SELECT due_at IS NOT NULL AS waits FROM ${table} WHERE ${column} = $1`, [id])).rows
  expect(await left("inbound_messages", "route_id", route)).toEqual([{ waits: true }])
  expect(await left("webhook_deliveries", "webhook_id", webhook)).toEqual([{ waits: true }])
  expect(await left("tracking_hits", "project_id", sender.projectId)).toEqual([{ waits: true }])
})

test("each step of the sweep fails alone: it is named in the log, and the steps behind it run", async () => {
  const error = vi.spyOn(log, "error").mockImplementation(() => undefined)
  const body = await bodyDaysAgo(100)
  const failing = { name: "broken", run: (db: Queryable) => db.query("SELECT pg_sleep(1), 1 / 0").then(() => 0) }
  expect(await sweep([failing, ...sweepSteps])).toBe(false)
  expect((await pool().query("SELECT text FROM email_bodies WHERE email_id = $1", [body])).rows).toEqual([
    { text: null },
  ])
  expect(error.mock.calls.map(([context]) => (context as unknown as { step: string }).step)).toEqual(["broken"])
  error.mockRestore()
})

const bodies = size(50_000, 10_000_000)

test(
  `one due body among ${bodies} that were emptied is found in fewer than 100 pages and within a minute`,
  { timeout: 900_000 },
  async () => {
    await bare.query("SET statement_timeout = 0")
    for (let done = 0; done < bodies; done += 500_000) {
      await bare.query(
        `INSERT INTO email_bodies (project_id, email_id, emptied_at)
        SELECT $1, first_id_at(now() - interval '150 days' + at * interval '1 millisecond'), now() FROM generate_series($2::int, $3::int) AS at`,
        [sender.projectId, done, Math.min(bodies, done + 500_000) - 1],
      )
    }
    await bare.query("ANALYZE email_bodies")
    const body = await bodyDaysAgo(120)
    const startedAt = performance.now()
    const { pages } = await explained("email bodies")
    expect(performance.now() - startedAt).toBeLessThan(60_000)
    expect((await pool().query("SELECT text FROM email_bodies WHERE email_id = $1", [body])).rows).toEqual([
      { text: null },
    ])
    expect(pages).toBeLessThan(100)
  },
)

/** Runs a step and tells the plan and the pages that it read. */
async function explained(name: string): Promise<{ plan: string; pages: number }> {
  const answers: unknown[] = []
  await bare.query("SET enable_seqscan = off")
  const explaining = {
    query: async (text: string, values: unknown[]) => {
      const answer = await bare.query(`EXPLAIN (ANALYZE, BUFFERS, FORMAT JSON) ${text}`, values)
      answers.push(answer.rows[0]["QUERY PLAN"])
      return answer
    },
  }
  await of(name).run(explaining as unknown as Queryable)
  await bare.query("SET enable_seqscan = on")
  const [[{ Plan }]] = answers as [[{ Plan: Record<string, number> }]]
  return { plan: JSON.stringify(Plan), pages: (Plan["Shared Hit Blocks"] ?? 0) + (Plan["Shared Read Blocks"] ?? 0) }
}

let made = 0

/** The body of a message that was accepted so many days ago. */
async function bodyDaysAgo(days: number): Promise<string> {
  const { rows } = await bare.query<{ id: string }>(
    `INSERT INTO email_bodies (project_id, email_id, text) VALUES ($1, first_id_at(now() - make_interval(days => $2, secs => $3)), 'Hi')
      RETURNING email_id AS id`,
    [sender.projectId, days, (made += 1)],
  )
  return rows[0]?.id ?? ""
}
