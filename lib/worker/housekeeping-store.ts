import { pool, type Queryable } from "@/lib/platform/db"

/** Days for which things are kept. */
const eventDays = 400
const attemptDays = 90
const usageDays = 90
const bodyDays = 90
/** Bodies are looked for so many days back: what is older was emptied long ago and need not be read again. */
const lookBackDays = 60
const sandboxDays = 7
const sandboxMessagesMax = 1_000

/** Rows that one statement changes at most: short statements never stand in anybody's way. */
const batchMax = 500

/** Makes the partitions of the months to come and drops those that lie wholly before what is kept. */
export async function keepPartitions(): Promise<void> {
  await pool().query("SELECT ensure_partitions(now(), now() + interval '3 months')")
  await dropBefore("events", eventDays)
  await dropBefore("delivery_attempts", attemptDays)
  await dropBefore("api_key_requests", usageDays)
}

async function dropBefore(parent: string, days: number): Promise<void> {
  const { rows } = await pool().query<{ name: string }>(
    `SELECT c.relname AS name FROM pg_inherits i JOIN pg_class c ON c.oid = i.inhrelid
      WHERE i.inhparent = $1::regclass AND c.relname ~ '_[0-9]{6}$'
        AND to_date(right(c.relname, 6), 'YYYYMM') + interval '1 month' <= now() AT TIME ZONE 'UTC' - make_interval(days => $2)`,
    [parent, days],
  )
  for (const { name } of rows) await pool().query(`DROP TABLE IF EXISTS "${name}"`)
}

/** One batch of everything that has had its time; true if there may be more. */
export async function sweep(): Promise<boolean> {
  const counts = []
  for (const run of [
    emptyBodies,
    dropSandboxMessages,
    dropRateWindows,
    dropStreamTokens,
    dropSignInLinks,
    dropSystemMails,
    dropProviderEvents,
  ]) {
    counts.push(await run(pool()))
  }
  return counts.some((count) => count >= batchMax)
}

/** The email stays, what it said goes. Ids are ordered by time, so the index knows the age. */
async function emptyBodies(db: Queryable): Promise<number> {
  const { rowCount } = await db.query(
    `UPDATE email_bodies SET text = NULL, html = NULL, attachments = NULL, raw = NULL WHERE (project_id, email_id) IN (
        SELECT b.project_id, b.email_id FROM projects p, LATERAL (
            SELECT project_id, email_id FROM email_bodies WHERE project_id = p.id
              AND email_id < first_id_at(now() - make_interval(days => $1))
              AND email_id > first_id_at(now() - make_interval(days => $1 + $3))
              AND (text IS NOT NULL OR html IS NOT NULL OR attachments IS NOT NULL OR raw IS NOT NULL)
              AND NOT EXISTS (SELECT 1 FROM deliveries d WHERE d.project_id = p.id AND d.email_id = email_bodies.email_id
                AND d.due_at IS NOT NULL)
              LIMIT $2) b
          LIMIT $2)`,
    [bodyDays, batchMax, lookBackDays],
  )
  return rowCount ?? 0
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

/** The limiter's own times are milliseconds of the process's clock. */
async function dropRateWindows(db: Queryable): Promise<number> {
  const { rowCount } = await db.query(
    `DELETE FROM rate_windows WHERE key IN (
        SELECT key FROM rate_windows WHERE expire < extract(epoch FROM now() - interval '1 minute') * 1000 LIMIT $1)`,
    [batchMax],
  )
  return rowCount ?? 0
}

async function dropStreamTokens(db: Queryable): Promise<number> {
  const { rowCount } = await db.query(
    `DELETE FROM stream_tokens WHERE token_hash IN (
        SELECT token_hash FROM stream_tokens WHERE expires_at < now() - interval '1 day'
          AND (seen_at IS NULL OR seen_at < now() - interval '1 hour') LIMIT $1)`,
    [batchMax],
  )
  return rowCount ?? 0
}

async function dropSignInLinks(db: Queryable): Promise<number> {
  const { rowCount } = await db.query(
    "DELETE FROM sign_in_links WHERE token_hash IN (SELECT token_hash FROM sign_in_links WHERE expires_at < now() - interval '1 day' LIMIT $1)",
    [batchMax],
  )
  return rowCount ?? 0
}

/** Left behind where no worker hands system mail over: the last mail server was taken out of the configuration. */
async function dropSystemMails(db: Queryable): Promise<number> {
  const { rowCount } = await db.query(
    "DELETE FROM system_mails WHERE id IN (SELECT id FROM system_mails WHERE expires_at < now() - interval '1 hour' LIMIT $1)",
    [batchMax],
  )
  return rowCount ?? 0
}

async function dropProviderEvents(db: Queryable): Promise<number> {
  const { rowCount } = await db.query(
    `DELETE FROM provider_events WHERE (provider, event_id) IN (
        SELECT provider, event_id FROM provider_events WHERE created_at < now() - interval '90 days' LIMIT $1)`,
    [batchMax],
  )
  return rowCount ?? 0
}
