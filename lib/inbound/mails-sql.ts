import type { ArrivalVerdicts } from "@/lib/inbound/arrival"
import { byteaArray, textArray, uuidArray } from "@/lib/platform/database/binary-arrays"
import { pool, type Queryable, unscoped } from "@/lib/platform/database/db"
import { lockNotAvailable, sqlState, withOneRetry } from "@/lib/platform/database/sql-errors"
import { newId } from "@/lib/platform/ids"
import type { Door } from "@/lib/returns/returned-mail"
import pg from "pg"
import type { ReturnedDelivery } from "@/lib/delivery/queue/feedback/data"
import type { OperatorReason } from "@/lib/inbound/operator-mail"
import type { Match } from "@/lib/inbound/effect"
import { databaseTime, secondsAfter } from "@/lib/platform/database/clock-sql"
import type { ScopedDb } from "@/lib/platform/database/scoped-db"
import { claimRows, extendLeases } from "@/lib/platform/jobs/leases-sql"
import type { Prisma } from "@/prisma/generated/client"

/** A mail for one of its recipients. */
export type InboundMail = {
  door: Door
  deliveryId?: string
  routeId?: string
  /** Of mail for a route. */
  verdicts?: ArrivalVerdicts
  mailFrom: string
  rcptTo: string
  client: string
  helo: string
  /** TLS protocol; absent on a plain connection. */
  tls?: string
  digest: Buffer
  raw: Buffer
}

/**
 * `stored`: it is, now or since an earlier attempt of its sender. `unknown`: there is no such delivery or route. `full`: the delivery
 * has as many as are kept. `late`: another process stored a mail for the delivery at the same time, or held what it needs for too
 * long.
 */
export type Intake = "stored" | "unknown" | "full" | "late"

/** Mails stored for one delivery: some servers send a delay a day, and whoever knows a return path may send any number. */
export const perDeliveryMax = 20

/**
 * Stores mails of all projects in one commit; the answers are in their order. A mail that its sender repeats, because the
 * answer was lost, is stored once. On `pg`, because the senders wait for it, and only the delivery names the project.
 */
export async function storeMails(mails: readonly InboundMail[]): Promise<Intake[]> {
  const values = [
    uuidArray(mails.map(newId)),
    textArray(mails.map(({ door }) => door)),
    uuidArray(mails.map(({ deliveryId }) => deliveryId)),
    textArray(mails.map(({ mailFrom }) => mailFrom)),
    textArray(mails.map(({ rcptTo }) => rcptTo)),
    textArray(mails.map(({ client }) => client)),
    textArray(mails.map(({ helo }) => helo)),
    textArray(mails.map(({ tls }) => tls)),
    byteaArray(mails.map(({ digest }) => digest)),
    byteaArray(mails.map(({ raw }) => raw)),
    perDeliveryMax,
    uuidArray(mails.map(({ routeId }) => routeId)),
    textArray(mails.map(({ verdicts }) => verdicts && JSON.stringify(verdicts))),
  ]
  const store = () => pool().query<{ intake: Intake }>({ name: "inbound.store", text: statement, values })
  try {
    return (await withOneRetry(store)).rows.map(({ intake }) => intake)
  } catch (error) {
    if (sqlState(error) !== lockNotAvailable) throw error
    return mails.map(() => "late")
  }
}

const statement = `WITH given AS MATERIALIZED (
    SELECT * FROM unnest($1::uuid[], $2::text[], $3::uuid[], $4::text[], $5::text[], $6::text[], $7::text[], $8::text[],
        $9::bytea[], $10::bytea[], $12::uuid[], $13::text[]) WITH ORDINALITY
      AS g(id, door, delivery_id, mail_from, rcpt_to, client, helo, tls, digest, raw, route_id, verdicts, number)
  ), known AS MATERIALIZED (
    SELECT g.id, g.number, g.delivery_id, coalesce(d.project_id, r.project_id) AS project_id, d.email_id, r.keep_days,
        (g.delivery_id IS NULL OR d.id IS NOT NULL) AND (g.route_id IS NULL OR r.id IS NOT NULL) AS is_live,
        (SELECT m.id FROM inbound_messages m WHERE m.rcpt_to = g.rcpt_to AND m.digest = g.digest) IS NOT NULL AS is_stored
      -- Row by row, each by its index: before the first ANALYZE a join would read both tables whole.
      FROM given g LEFT JOIN LATERAL (SELECT * FROM deliveries WHERE id = g.delivery_id LIMIT 1) d ON true
        LEFT JOIN LATERAL (SELECT * FROM inbound_routes WHERE id = g.route_id LIMIT 1) r ON true
  ), placed AS MATERIALIZED (
    -- The place is unique, so that no two processes exceed what is kept of a delivery.
    SELECT k.*, CASE WHEN k.delivery_id IS NOT NULL THEN row_number() OVER (PARTITION BY k.delivery_id ORDER BY k.number)
        + coalesce((SELECT max(m.place) FROM inbound_messages m WHERE m.delivery_id = k.delivery_id), 0) END AS place
      FROM known k WHERE k.is_live AND NOT k.is_stored
  ), stored AS (
    INSERT INTO inbound_messages (id, door, project_id, email_id, delivery_id, place, mail_from, rcpt_to, client, helo, tls,
        size, digest, raw, due_at, operator_reason, route_id, verdicts, keep_until)
      SELECT g.id, g.door, p.project_id, p.email_id, g.delivery_id, p.place, g.mail_from, g.rcpt_to, g.client, g.helo, g.tls,
        length(g.raw), g.digest, g.raw, now(), CASE WHEN g.door IN ('mailbox', 'feedback') THEN 'written' END,
        g.route_id, g.verdicts::jsonb, now() + make_interval(days => p.keep_days)
        FROM placed p JOIN given g ON g.id = p.id WHERE coalesce(p.place, 0) <= $11
        -- Everybody takes the places of a delivery in their order: two who each hold what the other waits for would end in a deadlock.
        ORDER BY g.delivery_id, p.place, g.rcpt_to, g.digest
      ON CONFLICT DO NOTHING RETURNING id
  )
  SELECT CASE WHEN NOT k.is_live THEN 'unknown' WHEN k.is_stored OR s.id IS NOT NULL THEN 'stored'
      WHEN p.place > $11 THEN 'full' ELSE 'late' END AS intake
    FROM known k LEFT JOIN stored s ON s.id = k.id LEFT JOIN placed p ON p.id = k.id ORDER BY k.number`

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
type MailKind = "reports" | "routed" | "others"

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
