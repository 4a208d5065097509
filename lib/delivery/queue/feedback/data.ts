import type pg from "pg"
import { suppress } from "@/lib/consent/data"
import { countReturned } from "@/lib/delivery/egress/data"
import { type Claimed, claimedShape } from "@/lib/delivery/queue/claims/data"
import type { ClaimOutcome } from "@/lib/delivery/queue/outcome"
import { emailsAfter, recordOutcomes, suppressSoft } from "@/lib/delivery/queue/outcomes/data"
import { type EmailStatus, statusAfter } from "@/lib/delivery/queue/rules"
import { isSimulated } from "@/lib/emails/simulator"
import { addPastEvents, setStatuses } from "@/lib/emails/data"
import type { BounceType } from "@/lib/explanation/codes"
import { pool, type Queryable } from "@/lib/platform/database/db"
import { columnsOf } from "@/lib/platform/database/shape"
import { newId } from "@/lib/platform/ids"

// On `pg`: what comes back is locked and recorded as the delivery loop does, many deliveries of all projects at a time. Without names,
// for the reason in lib/inbound/mails-sql.ts.

/** What a mail that came back needs to know of its delivery. */
export type ReturnedDelivery = Omit<Claimed, "status" | "claimedAt"> & {
  status: EmailStatus
  region: string
  subject: string
  messageId: string
  /** Its timeline has a delay already. */
  isDelayed: boolean
  /** Its timeline has a complaint already: of a bounced delivery no status says so. */
  isComplained: boolean
}

function hasEventSql(type: string): string {
  return `EXISTS (SELECT 1 FROM events v WHERE v.project_id = d.project_id AND v.email_id = d.email_id AND v.delivery_id = d.id
    AND v.type = '${type}')`
}

/** Locks deliveries of all projects, in the order of their ids as every writer does. */
export async function lockReturned(client: Queryable, ids: readonly string[]): Promise<ReturnedDelivery[]> {
  const { rows } = await client.query<ReturnedDelivery>({
    text: `SELECT ${columnsOf(claimedShape, "d")}, d.region, e.subject, e.message_id AS "messageId",
        ${hasEventSql("delivery_delayed")} AS "isDelayed", ${hasEventSql("complained")} AS "isComplained"
      FROM deliveries d JOIN emails e ON e.project_id = d.project_id AND e.id = d.email_id
      WHERE d.id = ANY ($1::uuid[]) ORDER BY d.id FOR NO KEY UPDATE OF d`,
    values: [ids],
  })
  return rows
}

/**
 * Writes outcomes that came by mail, of deliveries that are locked and no longer under way, as the delivery loop writes its
 * own: status, events, suppression and the email's status in the caller's transaction. For all projects.
 */
export async function recordReturned(client: pg.PoolClient, outcomes: ClaimOutcome[]): Promise<void> {
  if (outcomes.length === 0) return
  await client.query({
    text: `WITH given AS MATERIALIZED (
        SELECT * FROM json_to_recordset($1) AS g(id uuid, status text, bounce_type text, bounce_code text, diagnostic text,
          reason text, reason_facts jsonb)
      ), counted AS (
        ${countReturned("bounced", "SELECT id FROM given WHERE status = 'bounced'")}
      )
      UPDATE deliveries d SET status = g.status, bounce_type = g.bounce_type, bounce_code = g.bounce_code,
        diagnostic = g.diagnostic, reason = g.reason, reason_facts = g.reason_facts, delivered_at = CASE WHEN g.status = 'delivered' THEN now() END,
        due_at = NULL, ended_at = now(), updated_at = now()
      FROM given g WHERE d.id = g.id`,
    values: [JSON.stringify(outcomes.map(valuesOf))],
  })
  await recordOutcomes(client, outcomes, await emailsAfter(client, outcomes))
  await suppressSoft(client, outcomes)
}

function valuesOf({ claimed, status, bounceType, bounceCode, diagnostic, reason }: ClaimOutcome) {
  return {
    id: claimed.id,
    status,
    bounce_type: bounceType,
    bounce_code: bounceCode,
    diagnostic,
    reason: reason?.code,
    reason_facts: reason?.facts,
  }
}

/** Deliveries of these emails, of all projects. */
export async function deliveriesOfEmail(emailId: string): Promise<{ id: string; address: string }[]> {
  const { rows } = await pool().query<{ id: string; address: string }>({
    name: "delivery.of_email",
    text: `SELECT d.id, d.address FROM emails e JOIN deliveries d ON d.project_id = e.project_id AND d.email_id = e.id
      WHERE e.id = $1`,
    values: [emailId],
  })
  return rows
}

/** The news of a delivery that has left, as a mail brings it. */
export type News =
  | { kind: "bounced"; bounceType: BounceType; bounceCode: string; diagnostic: string }
  | { kind: "delivered" }

/** The same outcome as of an attempt that is refused or accepted now, without the attempt. */
export function returnedOutcome(delivery: ReturnedDelivery, news: News): ClaimOutcome {
  const { subject, status, messageId, isDelayed, region, ...rest } = delivery
  const simulated = isSimulated(delivery.canonical)
  const bounce =
    news.kind === "bounced"
      ? { bounceType: news.bounceType, bounceCode: news.bounceCode, diagnostic: news.diagnostic }
      : {}
  const details = {
    to: delivery.address,
    subject,
    ...bounce,
    reported: "true",
    ...(simulated && { simulator: "true" }),
  }
  const data = Object.fromEntries(Object.entries(details).filter((entry) => entry[1] !== ""))
  return {
    claimed: { ...rest, status: "sending", claimedAt: new Date(0) },
    status: news.kind,
    dueInSeconds: null,
    isOpen: false,
    counts: false,
    unfinished: 0,
    attempts: [],
    events: [{ type: news.kind, data }],
    ...bounce,
    reason:
      news.kind === "bounced"
        ? { code: "bounced", facts: { bounceType: news.bounceType, enhanced: news.bounceCode, phase: "final" } }
        : null,
    suppress: news.kind === "bounced" && news.bounceType === "hard" && (!simulated || delivery.canonical.includes("+")),
    // Its other deliveries are read, whatever they are.
    alone: false,
  }
}

/**
 * Records that a recipient marked an email as spam: its event, its status, and the suppression of the address. The delivery is
 * locked and has no complaint yet; nothing happens while the email is still being sent.
 */
export async function recordComplaint(client: pg.PoolClient, deliveryId: string): Promise<void> {
  const [delivery] = await lockRead(client, [deliveryId])
  if (!delivery || isBeingSent(delivery)) return
  const { projectId, emailId, address: to, subject, canonical } = delivery
  const simulated = isSimulated(canonical)
  const eventId = newId()
  const data = { to, subject, ...(simulated ? { simulator: "true" } : {}) }
  await addPastEvents(client, [
    { id: eventId, projectId, emailId, deliveryId, type: "complained", data, occurredAt: null },
  ])
  await advance(client, [{ delivery, to: "complained" }])
  if (!simulated || canonical.includes("+"))
    await suppress(projectId, { email: canonical, reason: "complaint", emailId, eventId }, client)
}

/** What a reader's action needs to know of the only delivery of an email. */
export type ReadDelivery = {
  id: string
  projectId: string
  emailId: string
  topicId: string | null
  subject: string
  address: string
  canonical: string
  status: EmailStatus
  emailStatus: EmailStatus
  sentAt: Date | null
}

/** Locks deliveries and their emails, in the order of the deliveries' ids as every writer does. */
export async function lockRead(client: Queryable, ids: readonly string[]): Promise<ReadDelivery[]> {
  const { rows } = await client.query<ReadDelivery>({
    name: "delivery.lock_read",
    text: `SELECT d.id, d.project_id AS "projectId", d.email_id AS "emailId", e.topic_id AS "topicId", e.subject, d.address,
        d.canonical, d.status, e.status AS "emailStatus", coalesce(d.sent_at, d.first_attempt_at) AS "sentAt"
      FROM deliveries d JOIN emails e ON e.project_id = d.project_id AND e.id = d.email_id
      WHERE d.id = ANY ($1::uuid[]) ORDER BY d.id FOR NO KEY UPDATE OF d, e`,
    values: [ids],
  })
  return rows
}

/** A delivery that is still being sent: its worker must find it unchanged when it finishes. */
export function isBeingSent({ status }: ReadDelivery): boolean {
  return ["scheduled", "queued", "sending", "delivery_delayed"].includes(status)
}

/** Moves deliveries of all projects and their emails up to what a person or a mailbox provider did; where that leads down, nothing changes. */
export async function advance(
  client: Queryable,
  news: readonly { delivery: ReadDelivery; to: "opened" | "clicked" | "complained" }[],
): Promise<void> {
  const moved = news.filter(
    ({ delivery, to }) => !isBeingSent(delivery) && statusAfter(delivery.status, to) !== delivery.status,
  )
  if (moved.length) {
    await client.query({
      name: "delivery.advance",
      text: `WITH given AS MATERIALIZED (SELECT * FROM unnest($1::uuid[], $2::text[]) AS g(id, status)), counted AS (
          ${countReturned("complained", "SELECT id FROM given WHERE status = 'complained'")}
        )
        UPDATE deliveries d SET status = g.status, ended_at = coalesce(d.ended_at, now()), updated_at = now()
          FROM given g WHERE d.id = g.id`,
      values: [moved.map(({ delivery }) => delivery.id), moved.map(({ to }) => to)],
    })
  }
  const emails = news.filter(
    ({ delivery, to }) => !isBeingSent(delivery) && statusAfter(delivery.emailStatus, to) !== delivery.emailStatus,
  )
  await setStatuses(
    client,
    emails.map(({ delivery: { emailId }, to }) => ({ emailId, status: to })),
  )
}
