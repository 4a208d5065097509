import { beforeAll, expect, test } from "vitest"
import { newSending, sendMail, type Sending } from "@/e2e/support/delivery/sending"
import { pool } from "@/lib/platform/database/db"
import { registry } from "@/lib/platform/metrics"
import { firstIdAt, newId } from "@/lib/platform/ids"
import { keepPartitions } from "@/lib/worker/partition-sql"
import { sweep } from "@/lib/worker/housekeeping"

const day = 86_400_000
let sender: Sending

beforeAll(async () => {
  sender = await newSending()
})

test("partitions of the coming months exist, and those wholly before what is kept are dropped", async () => {
  await pool().query("SELECT ensure_partitions(now() - interval '15 months', now())")
  await keepPartitions()
  const months = async (parent: string) => {
    const { rows } = await pool().query(
      "SELECT c.relname AS name FROM pg_inherits i JOIN pg_class c ON c.oid = i.inhrelid WHERE i.inhparent = $1::regclass ORDER BY 1",
      [parent],
    )
    return rows.map(({ name }) => name.slice(-6) as string)
  }
  const [events, attempts] = [await months("events"), await months("delivery_attempts")]
  expect(events.at(-1)).toBe(month(new Date(Date.now() + 85 * day)))
  expect(events[0]).toBe(month(new Date(Date.now() - 400 * day)))
  expect(attempts[0]).toBe(month(new Date(Date.now() - 90 * day)))
})

test("bodies older than 90 days are emptied, younger ones and those still on their way stay", async () => {
  const ages = [100, 80, 100]
  const ids = await Promise.all(ages.map((age) => sentDaysAgo(age)))
  await pool().query("UPDATE deliveries SET due_at = NULL WHERE email_id = ANY ($1)", [ids.slice(0, 2)])
  while (await sweep());
  const { rows } = await pool().query("SELECT email_id, text FROM email_bodies WHERE email_id = ANY ($1)", [ids])
  const texts = new Map(rows.map(({ email_id, text }) => [email_id, text]))
  expect(ids.map((id) => texts.get(id))).toEqual([null, "Hi Ada", "Hi Ada"])
})

test("the sandbox mailbox keeps a week, and 1,000 messages of a project", async () => {
  await addMessages(1_100, () => newId())
  const old = Date.now() - 8 * day
  await addMessages(3, (at) => firstIdAt(new Date(old - at)))
  while (await sweep());
  const { rows } = await pool().query(
    "SELECT count(*)::int AS n, min(id::text) AS oldest FROM sandbox_messages WHERE project_id = $1",
    [sender.projectId],
  )
  expect(rows[0].n).toBe(1_000)
  expect(rows[0].oldest > firstIdAt(new Date(Date.now() - day))).toBe(true)
})

test("windows, stream tokens, sign-in links and pending sign-ins and challenges that have ended go; live ones stay", async () => {
  const soon = Date.now() + 60_000
  await pool().query("INSERT INTO rate_windows (key, points, expire) VALUES ('old', 1, 1), ('live', 1, $1)", [soon])
  await pool().query(
    `INSERT INTO stream_tokens (token_hash, project_id, expires_at) VALUES ('old', $1, now() - interval '25 hours'), ('live', $1, now())`,
    [sender.projectId],
  )
  await pool().query(
    `INSERT INTO sign_in_links (token_hash, user_id, expires_at) VALUES ('old', $1, now() - interval '25 hours'), ('live', $1, now())`,
    [sender.userId],
  )
  await pool().query(
    `INSERT INTO pending_sign_ins (token_hash, user_id, signed_in_by, expires_at) VALUES ('old', $1, 'link', now() - interval '25 hours'), ('live', $1, 'link', now())`,
    [sender.userId],
  )
  await pool().query(
    `INSERT INTO passkey_challenges (hash, expires_at) VALUES ('old', now() - interval '25 hours'), ('live', now())`,
  )
  await pool().query(
    `INSERT INTO system_mails (id, content, expires_at) VALUES (gen_random_uuid(), 'old', now() - interval '61 minutes'), (gen_random_uuid(), 'live', now())`,
  )
  while (await sweep());
  for (const sql of [
    "SELECT convert_from(content, 'UTF8') AS kept FROM system_mails",
    "SELECT key::text AS kept FROM rate_windows WHERE key IN ('old', 'live')",
    "SELECT convert_from(token_hash, 'UTF8') AS kept FROM stream_tokens",
    "SELECT convert_from(token_hash, 'UTF8') AS kept FROM sign_in_links",
    "SELECT convert_from(token_hash, 'UTF8') AS kept FROM pending_sign_ins",
    "SELECT convert_from(hash, 'UTF8') AS kept FROM passkey_challenges",
  ]) {
    expect((await pool().query(sql)).rows).toEqual([{ kept: "live" }])
  }
})

/** An accepted mail whose id and all that goes by it say that it came so many days ago. */
async function sentDaysAgo(days: number): Promise<string> {
  const [id = ""] = await sendMail(sender)
  const old = firstIdAt(new Date(Date.now() - days * day)).slice(0, 24) + newId().slice(24)
  await pool().query(
    "INSERT INTO emails SELECT (jsonb_populate_record(e, jsonb_build_object('id', $2::text))).* FROM emails e WHERE id = $1",
    [id, old],
  )
  await pool().query("UPDATE email_bodies SET email_id = $2 WHERE email_id = $1", [id, old])
  await pool().query("UPDATE deliveries SET email_id = $2 WHERE email_id = $1", [id, old])
  return old
}

async function addMessages(count: number, id: (at: number) => string) {
  const ids = Array.from({ length: count }, (_, at) => id(at))
  await pool().query(
    `INSERT INTO sandbox_messages (id, project_id, email_id, delivery_id, mail_from, rcpt_to, dkim, spf, dmarc, verdicts, size, raw)
      SELECT id, $1, id, id, 'a@x', 'b@x', 'pass', 'pass', 'pass', '{}', 1, 'x' FROM unnest($2::uuid[]) AS id`,
    [sender.projectId, ids],
  )
}

function month(instant: Date): string {
  return instant.toISOString().slice(0, 7).replace("-", "")
}

test("a scrape tells when each step of the sweep last succeeded, which one that fails does not move", async () => {
  const began = Date.now() / 1000
  await sweep([
    { name: "works", run: async () => 0 },
    { name: "fails", run: () => Promise.reject(new Error("on purpose")) },
  ])
  const metrics = await registry().metrics()
  const at = /^mailroom_sweep_last_success_timestamp_seconds\{step="works"\} (.+)$/m.exec(metrics)?.[1]
  expect(Number(at)).toBeGreaterThanOrEqual(began)
  expect(metrics).not.toContain('mailroom_sweep_last_success_timestamp_seconds{step="fails"}')
  expect(metrics).toMatch(/^mailroom_sweep_failures_total\{step="fails"\} 1$/m)
})
