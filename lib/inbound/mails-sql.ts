import type pg from "pg"
import type { ReturnedDelivery } from "@/lib/delivery/queue/feedback/data"
import type { OperatorReason } from "@/lib/inbound/operator-mail"
import type { ArrivalVerdicts } from "@/lib/inbound/arrival"
import type { Match } from "@/lib/inbound/match"
import { databaseTime, secondsAfter } from "@/lib/platform/database/clock-sql"
import { type Queryable, unscoped } from "@/lib/platform/database/db"
import type { ScopedDb } from "@/lib/platform/database/scoped-types"
import { claimRows, extendLeases } from "@/lib/platform/jobs/leases-sql"
import type { Door } from "@/lib/returns/returned-mail"
import type { Prisma } from "@/prisma/generated/client"

// On `pg`, because mail of all projects comes back here, many at a time (lib/README.md, "Data access").

/** A stored mail that this worker reads until its lease ends; `attempt` is the fencing token. */
export type ClaimedMail = {
  id: string
  door: Door
  /** Null where it is not known yet. */
  projectId: string | null
  deliveryId: string | null
  /** Of mail for a route. */
  routeId: string | null
  mailFrom: string
  rcptTo: string
  client: string
  helo: string
  tls: string | null
  attempt: number
  size: number
  /** Null if it is large: it is then read right before the work. */
  raw: Buffer | null
}

/** Larger mails are read one by one. */
const readTogetherBytesMax = 64 * 1024

/** Mails with a report, which take long to read, those for projects' routes, or the others. */
export type MailKind = "reports" | "routed" | "others"

const claimed: Record<MailKind, { where: string; name: string }> = {
  reports: { where: "door = 'reports'", name: "inbound_reports" },
  routed: { where: "door = 'route'", name: "inbound_routed" },
  others: { where: "door NOT IN ('reports', 'route')", name: "inbound_others" },
}

/** Claims due mails of all projects, of one kind or of both. */
export function claimMails(limit: number, leaseMs: number, kind?: MailKind): Promise<ClaimedMail[]> {
  return claimRows<ClaimedMail>("inbound_messages", {
    ...(kind && claimed[kind]),
    limit,
    leaseMs,
    set: "attempt = attempt + 1",
    returning: `id, door, project_id AS "projectId", delivery_id AS "deliveryId", route_id AS "routeId", mail_from AS "mailFrom", rcpt_to AS "rcptTo", client, helo, tls, attempt, size,
      CASE WHEN size <= ${readTogetherBytesMax} THEN raw END AS raw`,
  })
}

export function holdMails(mails: readonly ClaimedMail[], leaseMs: number): Promise<ClaimedMail[]> {
  return extendLeases("inbound_messages", mails, { leaseMs, held: "t.due_at IS NOT NULL" })
}

/** The bytes of a mail, which may be of all projects. */
export async function rawOf({ id, raw }: ClaimedMail): Promise<Buffer> {
  if (raw) return raw
  const row = await unscoped().inboundMessage.findUnique({ where: { id }, select: { raw: true } })
  return Buffer.from(row?.raw ?? [])
}

// Statements of many rows have no name, so that each is planned for the table as large as it is by then: in the first minute of an
// installation a plan made for an empty table would go on reading it whole.

/** Locks those that this worker still holds, of all projects, in the order of their ids. */
export async function lockMails(client: Queryable, mails: readonly ClaimedMail[]): Promise<Set<string>> {
  const { rows } = await client.query<{ id: string }>({
    text: `SELECT m.id FROM inbound_messages m JOIN unnest($1::uuid[], $2::int[]) AS g(id, attempt)
        ON m.id = g.id AND m.attempt = g.attempt
      WHERE m.due_at IS NOT NULL ORDER BY m.id FOR UPDATE OF m`,
    values: [mails.map(({ id }) => id), mails.map(({ attempt }) => attempt)],
  })
  return new Set(rows.map(({ id }) => id))
}

/** What became of a mail. */
export type HandledMail = {
  id: string
  outcome: string
  match?: Match | undefined
  delivery?: Pick<ReturnedDelivery, "id" | "projectId" | "emailId"> | undefined
  reading: Record<string, unknown>
  operatorReason: OperatorReason | null
}

/** Records what was read and done, of mails that are locked; a mail to an office becomes its delivery's. For all projects. */
export async function finishMails(client: pg.PoolClient, finished: readonly HandledMail[]): Promise<void> {
  await client.query({
    text: `UPDATE inbound_messages m SET due_at = NULL, outcome = g.outcome, matched_by = g.matched_by, reading = g.reading,
        operator_reason = g.operator_reason,
        project_id = coalesce(m.project_id, g.project_id), email_id = coalesce(m.email_id, g.email_id)
      FROM json_to_recordset($1) AS g(id uuid, outcome text, matched_by text, reading jsonb, operator_reason text, project_id uuid, email_id uuid)
      WHERE m.id = g.id`,
    values: [
      JSON.stringify(
        finished.map(({ id, outcome, match, delivery, reading, operatorReason }) => ({
          ...{ id, outcome, reading, matched_by: match?.by, operator_reason: operatorReason },
          ...{ project_id: delivery?.projectId, email_id: delivery?.emailId },
        })),
      ),
    ],
  })
}

/** Hands a mail over to a route of its project, to be read as mail of that. False if another worker has it by now. */
export async function moveToRoute(
  { id, attempt }: Pick<ClaimedMail, "id" | "attempt">,
  { id: routeId, keepDays }: { id: string; keepDays: number },
): Promise<boolean> {
  const now = await databaseTime()
  const { count } = await unscoped().inboundMessage.updateMany({
    where: { id, attempt, dueAt: { not: null } },
    data: { door: "route", routeId, keepUntil: secondsAfter(now, keepDays * daySeconds), dueAt: now, attempt: 0 },
  })
  return count > 0
}

const daySeconds = 86_400

export type RoutedReading = {
  outcome: "received" | "given_up"
  reading: Prisma.InputJsonObject
  /** Where they were not stored with the mail. */
  verdicts?: ArrivalVerdicts
  /** The email that it answers. */
  emailId: string | null
}

/** Records what was read of a mail for a route, in the transaction of what follows from it. False if another worker has it by now. */
export async function finishRouted(
  { id, attempt }: Pick<ClaimedMail, "id" | "attempt">,
  { outcome, reading, verdicts, emailId }: RoutedReading,
  tx: ScopedDb,
): Promise<boolean> {
  const { count } = await tx.inboundMessage.updateMany({
    where: { id, attempt, dueAt: { not: null } },
    data: { dueAt: null, outcome, reading, ...(verdicts && { verdicts }), ...(emailId !== null && { emailId }) },
  })
  return count > 0
}

/** Puts mails of all projects off whose delivery is still under way: they come back later each time. */
export async function putOff(client: pg.PoolClient, ids: readonly string[]): Promise<void> {
  if (ids.length === 0) return
  await client.query({
    name: "inbound.put_off",
    text: `UPDATE inbound_messages SET due_at = now() + make_interval(secs => least(300, power(2, attempt - 1)))
      WHERE id = ANY ($1::uuid[])`,
    values: [ids],
  })
}
