import type pg from "pg"
import { planRelease, type Allowance, type Due, type ReleasePlan } from "@/lib/delivery/scheduling/release-plan"
import { suppressedBy } from "@/lib/delivery/queue/suppressed-sql"
import { pool, transaction } from "@/lib/platform/database/db"
import { newId } from "@/lib/platform/ids"

// Raw: row locks in the order of admission, SKIP LOCKED, and writes of sets with the database's time.

/** Emails of one project that are released in one transaction. */
const groupMax = 100

/** Mail that the daily allowance has held back for so long is given up. */
const waitHoursMax = 72

const projectsMax = 200
const beforeAll = "00000000-0000-0000-0000-000000000000"

/** Projects with scheduled mail that is due, after a project in the order of ids; `next` is where to continue. */
export async function projectsDue(behind: string = beforeAll): Promise<{ ids: string[]; next: string | undefined }> {
  const { rows } = await pool().query<{ project_id: string }>({
    name: "scheduled.projects",
    text: `WITH RECURSIVE walk AS (
        (SELECT project_id FROM emails WHERE due_at IS NOT NULL AND project_id > $1 ORDER BY project_id LIMIT 1)
        UNION ALL
        SELECT (SELECT e.project_id FROM emails e WHERE e.due_at IS NOT NULL AND e.project_id > w.project_id
            ORDER BY e.project_id LIMIT 1)
          FROM walk w WHERE w.project_id IS NOT NULL
      )
      SELECT w.project_id FROM walk w JOIN projects p ON p.id = w.project_id
        WHERE p.suspended_at IS NULL AND p.deleted_at IS NULL
          AND EXISTS (SELECT 1 FROM emails e WHERE e.project_id = w.project_id AND e.due_at <= now())
        LIMIT $2`,
    values: [behind, projectsMax],
  })
  const ids = rows.map(({ project_id }) => project_id)
  return { ids, next: ids.length === projectsMax ? ids.at(-1) : undefined }
}

/**
 * Releases due mail of one project: debits the day and the send bucket, as admission does for the rest, and queues it.
 * Locks the organization's day, the project's allowance, then the emails, in the same order as admission; an email that
 * is being cancelled at this moment is skipped. True if more could be released at once.
 */
export async function releaseDue(projectId: string): Promise<boolean> {
  return transaction(async (client) => {
    const allowance = await lockAllowance(client, projectId)
    if (!allowance) return false
    const limit = Math.min(groupMax, Math.floor(allowance.tokens))
    const due = limit > 0 ? await lockDue(client, projectId, limit) : []
    const plan = planRelease(due, allowance)
    if (plan.release.length > 0) await release(client, projectId, plan)
    if (plan.expired.length > 0) await giveUp(client, projectId, plan.expired, expiredReason)
    if (plan.withoutDomain.length > 0) await giveUp(client, projectId, plan.withoutDomain, domainDeletedReason)
    if (plan.tomorrow.length > 0) await holdUntilTomorrow(client, projectId, plan.tomorrow, allowance)
    if (due.length === groupMax) return true
    if (due.length === limit) await explainWait(client, projectId, allowance)
    return false
  })
}

async function lockAllowance(client: pg.PoolClient, projectId: string): Promise<Allowance | null> {
  await client.query(
    `INSERT INTO quota_days (organization_id, day)
      SELECT organization_id, (now() AT TIME ZONE 'UTC')::date FROM projects WHERE id = $1 ON CONFLICT DO NOTHING`,
    [projectId],
  )
  const { rows: days } = await client.query<Pick<Allowance, "used" | "daily" | "secondsToDayEnd">>(
    `SELECT q.used, o.daily_sends AS daily,
        extract(epoch FROM ((q.day + 1)::timestamp AT TIME ZONE 'UTC') - now())::float8 AS "secondsToDayEnd"
      FROM projects p JOIN organizations o ON o.id = p.organization_id
      JOIN quota_days q ON q.organization_id = o.id AND q.day = (now() AT TIME ZONE 'UTC')::date
      WHERE p.id = $1 FOR UPDATE OF q`,
    [projectId],
  )
  const { rows: buckets } = await client.query<Pick<Allowance, "tokens" | "rate">>(
    `SELECT p.per_second_sends AS rate, least(greatest(100, 20 * p.per_second_sends), a.tokens
        + greatest(0, extract(epoch FROM now() - a.refilled_at))::float8 * p.per_second_sends) AS tokens
      FROM send_allowances a JOIN projects p ON p.id = a.project_id WHERE a.project_id = $1 FOR UPDATE OF a`,
    [projectId],
  )
  return days[0] && buckets[0] ? { ...days[0], ...buckets[0] } : null
}

async function lockDue(client: pg.PoolClient, projectId: string, limit: number): Promise<Due[]> {
  const { rows } = await client.query<Due>(
    `SELECT e.id, e.subject, e.to_headers AS to, e.test_mode AS "testMode",
        e.scheduled_at < now() - make_interval(hours => $3) AS expired,
        NOT EXISTS (SELECT 1 FROM domains o WHERE o.project_id = $1 AND o.id = e.domain_id) AS "domainDeleted",
        EXISTS (SELECT 1 FROM deliveries d WHERE d.project_id = $1 AND d.email_id = e.id AND d.status = 'scheduled'
          AND ${suppressedBy("d", "e.topic_id")} IS NULL) AS reachable
      FROM emails e WHERE e.project_id = $1 AND e.due_at <= now() AND e.status = 'scheduled'
      ORDER BY e.due_at LIMIT $2 FOR UPDATE OF e SKIP LOCKED`,
    [projectId, limit, waitHoursMax],
  )
  return rows
}

async function release(
  client: pg.PoolClient,
  projectId: string,
  { release: emails, cost }: ReleasePlan,
): Promise<void> {
  const ids = emails.map(({ id }) => id)
  type Recipient = { id: string; email_id: string; address: string; suppressed_by: string | null }
  const { rows: recipients } = await client.query<Recipient>(
    `UPDATE deliveries d SET status = CASE WHEN r.suppressed_by IS NULL THEN 'queued' ELSE 'suppressed' END,
        suppressed_by = r.suppressed_by, due_at = CASE WHEN r.suppressed_by IS NULL THEN now() END,
        ended_at = CASE WHEN r.suppressed_by IS NOT NULL THEN now() END, updated_at = now()
      FROM (SELECT o.id, ${suppressedBy("o", "e.topic_id")} AS suppressed_by
        FROM deliveries o JOIN emails e ON e.project_id = o.project_id AND e.id = o.email_id
        WHERE o.project_id = $1 AND o.email_id = ANY ($2) AND o.status = 'scheduled') r
      WHERE d.id = r.id RETURNING d.id, d.email_id, d.address, d.suppressed_by`,
    [projectId, ids],
  )
  const queued = new Set(
    recipients.flatMap(({ email_id, suppressed_by }) => (suppressed_by === null ? [email_id] : [])),
  )
  const subjects = new Map(emails.map(({ id, subject }) => [id, subject]))
  const events = [
    ...emails
      .filter(({ id }) => queued.has(id))
      .map(({ id, subject, to }) => ({ email_id: id, type: "queued", data: { to: to.join(", "), subject } })),
    ...recipients
      .filter(({ suppressed_by }) => suppressed_by !== null)
      .map(({ id, email_id, address, suppressed_by: reason }) => ({
        email_id,
        delivery_id: id,
        type: "suppressed",
        data: { to: address, subject: subjects.get(email_id) ?? "", reason },
      })),
  ]
  await client.query(
    `WITH email AS (
        UPDATE emails SET status = CASE WHEN id = ANY ($3) THEN 'queued' ELSE 'suppressed' END, due_at = NULL,
            error = NULL, updated_at = now()
          WHERE project_id = $1 AND id = ANY ($2)
      ), day AS (
        UPDATE quota_days q SET used = q.used + $4 FROM projects p
          WHERE p.id = $1 AND q.organization_id = p.organization_id AND q.day = (now() AT TIME ZONE 'UTC')::date
      ), bucket AS (
        UPDATE send_allowances a SET refilled_at = now(), tokens = least(greatest(100, 20 * p.per_second_sends), a.tokens
            + greatest(0, extract(epoch FROM now() - a.refilled_at))::float8 * p.per_second_sends) - $4
          FROM projects p WHERE a.project_id = $1 AND p.id = $1
      )
      INSERT INTO events (id, project_id, email_id, delivery_id, type, data, occurred_at)
        SELECT id, $1, email_id, delivery_id, type, data, now()
          FROM json_to_recordset($5) AS g(id uuid, email_id uuid, delivery_id uuid, type text, data jsonb)`,
    [projectId, ids, [...queued], cost, JSON.stringify(events.map((event) => ({ ...event, id: newId() })))],
  )
}

const expiredReason = `The daily allowance was used up for ${waitHoursMax} hours after the scheduled time, so the mail was given up.`
const domainDeletedReason = "The sending domain was deleted before the scheduled time."

async function giveUp(client: pg.PoolClient, projectId: string, emails: readonly Due[], reason: string): Promise<void> {
  const events = emails.map(({ id, subject, to }) => ({
    id: newId(),
    email_id: id,
    data: { to: to.join(", "), subject, reason },
  }))
  await client.query(
    `WITH email AS (
        UPDATE emails SET status = 'failed', due_at = NULL, error = $3, updated_at = now()
          WHERE project_id = $1 AND id = ANY ($2)
      ), delivery AS (
        UPDATE deliveries SET status = 'failed', due_at = NULL, diagnostic = $3, ended_at = now(), updated_at = now()
          WHERE project_id = $1 AND email_id = ANY ($2) AND status = 'scheduled'
      )
      INSERT INTO events (id, project_id, email_id, type, data, occurred_at)
        SELECT id, $1, email_id, 'failed', data, now() FROM json_to_recordset($4) AS g(id uuid, email_id uuid, data jsonb)`,
    [projectId, emails.map(({ id }) => id), reason, JSON.stringify(events)],
  )
}

async function holdUntilTomorrow(
  client: pg.PoolClient,
  projectId: string,
  emails: readonly Due[],
  { daily, secondsToDayEnd }: Allowance,
) {
  await client.query(
    `UPDATE emails SET due_at = now() + make_interval(secs => $3), updated_at = now(), error = $4 ||
        to_char((now() + make_interval(secs => $3)) AT TIME ZONE 'UTC', 'YYYY-MM-DD HH24:MI') || ' UTC.'
      WHERE project_id = $1 AND id = ANY ($2)`,
    [
      projectId,
      emails.map(({ id }) => id),
      secondsToDayEnd,
      `The daily allowance of ${daily} messages is used up; the mail waits until `,
    ],
  )
}

/** Mail over the project's rate stays due with the reason; at that rate it is sent within minutes. */
async function explainWait(client: pg.PoolClient, projectId: string, { rate }: Allowance): Promise<void> {
  await client.query(
    `UPDATE emails SET error = $2 WHERE id IN (
        SELECT id FROM emails WHERE project_id = $1 AND due_at <= now() AND status = 'scheduled' AND error IS NULL
          ORDER BY due_at LIMIT $3 FOR UPDATE SKIP LOCKED)`,
    [
      projectId,
      `This project sends ${rate} messages a second; the email is sent as soon as the rate allows.`,
      groupMax,
    ],
  )
}
