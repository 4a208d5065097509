import type { Queryable } from "@/lib/platform/database/db"
import { env } from "@/lib/platform/env/env"

/** Rows that one statement changes at most: short statements never stand in anybody's way. */
export const batchMax = 500

/** Days for which things are kept after their end, where the operator does not choose. */
const sandboxDays = 7
const sandboxMessagesMax = 1_000
const sessionDays = 30
const inviteDays = 90
const undeliveredDays = 30
const importErrorDays = 90
const quotaDays = 90
const providerEventDays = 90

/** One kind of thing that has had its time, a batch at a time, oldest first. Answers how many rows it changed. */
export type SweepStep = { name: string; run(db: Queryable): Promise<number> }

export const sweepSteps: readonly SweepStep[] = [
  { name: "email bodies", run: emptyBodies },
  { name: "email contents", run: dropContents },
  { name: "contents of refused sends", run: decideContents },
  { name: "sandbox messages", run: dropSandboxMessages },
  // Limits write milliseconds.
  drop("rate windows", "rate_windows WHERE expire < extract(epoch FROM now() - interval '1 minute') * 1000"),
  drop(
    "stream tokens",
    "stream_tokens WHERE expires_at < now() - interval '1 day' AND (seen_at IS NULL OR seen_at < now() - interval '1 hour')",
  ),
  drop("sign-in links", "sign_in_links WHERE expires_at < now() - interval '1 day'"),
  // Left behind where no worker hands system mail over: the last mail server was taken out of the configuration.
  drop("system mails", "system_mails WHERE expires_at < now() - interval '1 hour'"),
  dropAged("provider events", "provider_events", "created_at", () => providerEventDays),
  dropAged("undelivered system mails", "undelivered_system_mails", "failed_at", () => undeliveredDays),
  dropAged("sessions", "sessions", "expires_at", () => sessionDays),
  dropAged("invites", "invites", "expires_at", () => inviteDays),
  // An import's own id tells its age.
  dropAged("import errors", "import_errors", "import_id", () => importErrorDays),
  dropAged("quota days", "quota_days", "day", () => quotaDays),
  dropAged("contact activities", "contact_activities", "occurred_at", () => env().keepDays.events),
  dropAged("metric hours", "metric_hours", "hour", () => env().keepDays.events),
  dropAged("topic hours", "topic_hours", "hour", () => env().keepDays.events),
]

/** Deletes rows by where they lie: the plan of a join with a list of keys would go by guesses. */
function drop(name: string, from: string, ...values: (() => number)[]): SweepStep {
  const [table = ""] = from.split(" ")
  const text = `DELETE FROM ${table} WHERE ctid = ANY (ARRAY(SELECT ctid FROM ${from} LIMIT $1 FOR UPDATE SKIP LOCKED))`
  return {
    name,
    async run(db) {
      const { rowCount } = await db.query(text, [batchMax, ...values.map((value) => value())])
      return rowCount ?? 0
    },
  }
}

/** The oldest first, in the order of the index over the column that tells their age. */
function dropAged(name: string, table: string, column: string, days: () => number): SweepStep {
  const end = "now() - make_interval(days => $2)"
  return drop(
    name,
    `${table} WHERE ${column} < ${column === "import_id" ? `first_id_at(${end})` : end} ORDER BY ${column}`,
    days,
  )
}

/** The email stays, what it said goes. Ids are ordered by time, so the index of full bodies knows their age. */
async function emptyBodies(db: Queryable): Promise<number> {
  const { rowCount } = await db.query(
    `UPDATE email_bodies SET text = NULL, html = NULL, attachments = NULL, raw = NULL, cuts = NULL,
        emptied_at = now()
      WHERE ctid = ANY (ARRAY(
        SELECT b.ctid FROM email_bodies b
          WHERE b.emptied_at IS NULL AND b.email_id < first_id_at(now() - make_interval(days => $2))
            AND NOT EXISTS (SELECT 1 FROM deliveries d WHERE d.project_id = b.project_id AND d.email_id = b.email_id
              AND (d.due_at IS NOT NULL OR d.status = 'scheduled'))
            AND ${noneOfItsSend("b.project_id", "b.email_id")}
          ORDER BY b.email_id LIMIT $1 FOR UPDATE OF b SKIP LOCKED))`,
    [batchMax, env().keepDays.bodies],
  )
  return rowCount ?? 0
}

/** With the first message of a send lies what the others of it say: none of them may still be on its way. */
function noneOfItsSend(projectId: string, groupId: string): string {
  return `NOT EXISTS (SELECT 1 FROM emails s JOIN deliveries d ON d.project_id = s.project_id AND d.email_id = s.id
    WHERE s.project_id = ${projectId} AND s.group_id = ${groupId} AND s.group_index > 0
      AND (d.due_at IS NOT NULL OR d.status = 'scheduled'))`
}

/** Contents weigh some mebibytes each. */
const contentsMax = 20

async function dropContents(db: Queryable): Promise<number> {
  const { rowCount } = await db.query(
    `DELETE FROM email_contents WHERE id = ANY (ARRAY(
        SELECT c.id FROM email_contents c WHERE c.id < first_id_at(now() - make_interval(days => $2))
            AND NOT EXISTS (SELECT 1 FROM deliveries d WHERE d.project_id = c.project_id AND d.email_id = c.id
              AND (d.due_at IS NOT NULL OR d.status = 'scheduled'))
            AND ${noneOfItsSend("c.project_id", "c.id")}
          ORDER BY c.id LIMIT $1 FOR UPDATE OF c SKIP LOCKED))`,
    [contentsMax, env().keepDays.bodies],
  )
  return rowCount === contentsMax ? batchMax : 0
}

/** An hour after a content was stored its send is accepted or never will be: each is judged once. */
async function decideContents(db: Queryable): Promise<number> {
  const { rowCount } = await db.query(
    `WITH due AS MATERIALIZED (
        SELECT c.id, EXISTS (SELECT 1 FROM emails e WHERE e.project_id = c.project_id AND e.id = c.id) AS accepted
          FROM email_contents c WHERE NOT c.in_use AND c.id < first_id_at(now() - interval '1 hour')
          ORDER BY c.id LIMIT $1 FOR UPDATE OF c SKIP LOCKED
      ), used AS (
        UPDATE email_contents SET in_use = true WHERE id = ANY (ARRAY(SELECT id FROM due WHERE accepted))
      ), refused AS (
        DELETE FROM email_contents WHERE id = ANY (ARRAY(SELECT id FROM due WHERE NOT accepted))
      )
      SELECT id FROM due`,
    [contentsMax],
  )
  return rowCount === contentsMax ? batchMax : 0
}

async function dropSandboxMessages(db: Queryable): Promise<number> {
  const { rowCount } = await db.query(
    `DELETE FROM sandbox_messages WHERE id IN (
        SELECT m.id FROM projects p, LATERAL (
            SELECT id FROM sandbox_messages WHERE project_id = p.id AND (
                id < first_id_at(now() - make_interval(days => $1))
                OR id <= (SELECT o.id FROM sandbox_messages o WHERE o.project_id = p.id ORDER BY o.id DESC OFFSET $2 LIMIT 1))
              LIMIT $3) m
          LIMIT $3)`,
    [sandboxDays, sandboxMessagesMax, batchMax],
  )
  return rowCount ?? 0
}
