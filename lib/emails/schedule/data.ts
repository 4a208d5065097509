import { emailExists, addEvents, findEmail } from "@/lib/emails/data"
import type { Email } from "@/lib/emails/schema"
import type { Reason } from "@/lib/explanation/codes"
import { databaseTime } from "@/lib/platform/database/clock-sql"
import { lockRow, lockRows } from "@/lib/platform/database/locks-sql"
import { db, type InProject, type ScopedDb } from "@/lib/platform/database/scoped-db"
import type { Scope } from "@/lib/platform/http/scope"
import { Prisma } from "@/prisma/generated/client"

/** The columns of a reason. */
export function reasonData(reason: Reason | null) {
  return { reason: reason?.code ?? null, reasonFacts: reason?.facts ?? Prisma.DbNull }
}

/** Gives scheduled emails the status with which they leave the schedule at `now`, the time of the transaction. */
export async function endSchedule(
  ids: readonly string[],
  { status, reason = null }: { status: "queued" | "suppressed" | "failed"; reason?: Reason | null },
  now: Date,
  tx: ScopedDb,
): Promise<void> {
  if (ids.length === 0) return
  await tx.email.updateMany({
    where: { id: { in: [...ids] } },
    data: { status, ...reasonData(reason), dueAt: null, updatedAt: now },
  })
}

/** Has scheduled emails wait until another time; with the reason. */
export async function postpone(
  ids: readonly string[],
  { until, reason }: { until: Date; reason: Reason },
  now: Date,
  tx: ScopedDb,
): Promise<void> {
  await tx.email.updateMany({
    where: { id: { in: [...ids] } },
    data: { dueAt: until, ...reasonData(reason), updatedAt: now },
  })
}

const cancelledMax = 1_000

const cancelledShape = { id: true, subject: true, toHeaders: true } as const

export type CancelledRow = Prisma.EmailGetPayload<{ select: typeof cancelledShape }>

/**
 * Cancels up to 1,000 scheduled emails, all or those of these ids, at `now`, the time of the transaction. Their status decides
 * against a release at the same moment.
 */
export async function cancelRows(
  { project }: InProject,
  emailIds: readonly string[] | null,
  now: Date,
  tx: ScopedDb,
): Promise<CancelledRow[]> {
  const chosen = emailIds ? Prisma.sql`AND id = ANY (${emailIds}::uuid[])` : Prisma.empty
  const scheduled = Prisma.sql`project_id = ${project.id}::uuid AND due_at IS NOT NULL AND status = 'scheduled'`
  const where = Prisma.sql`${scheduled} ${chosen}`
  const locked = await lockRows<{ id: string }>({ ...emailIdsIn(where), limit: cancelledMax }, tx)
  return tx.email.updateManyAndReturn({
    where: { id: { in: locked.map(({ id }) => id) }, status: "scheduled" },
    data: { status: "cancelled", dueAt: null, updatedAt: now },
    select: cancelledShape,
  })
}

const emailIdsIn = (where: Prisma.Sql) => ({ columns: "id", table: "emails", where })

export type MovedRow = { subject: string; toHeaders: string[]; previously: Date }

/**
 * Moves a scheduled email to another time; a wait for the allowance is over with it. Null if it is no longer scheduled: the lock
 * decides against a release or a cancel at the same moment.
 */
export async function moveRow(scope: InProject, id: string, at: Date, tx: ScopedDb): Promise<MovedRow | null> {
  if (!(await lockRow({ of: scope, table: "emails" }, id, tx))) return null
  const row = await tx.email.findUnique({
    where: { id, dueAt: { not: null }, status: "scheduled" },
    select: { subject: true, toHeaders: true, scheduledAt: true, admittedFor: true },
  })
  if (!row?.scheduledAt) return null
  const { subject, toHeaders, scheduledAt: previously } = row
  await tx.email.updateMany({
    where: { id },
    data: {
      ...{ scheduledAt: at, dueAt: at, ...reasonData(null), updatedAt: await databaseTime(tx) },
      admittedFor: row.admittedFor ?? previously,
    },
  })
  return { subject, toHeaders, previously }
}

/** Gives up to `most` due emails without a reason the one why they wait; those that another transaction has locked are left out. */
export async function explainWait({ project }: InProject, reason: Reason, most: number, tx: ScopedDb): Promise<void> {
  const due = Prisma.sql`project_id = ${project.id}::uuid AND due_at <= now() AND status = 'scheduled'`
  const where = Prisma.sql`${due} AND reason IS NULL`
  const locked = await lockRows<{ id: string }>(
    { ...emailIdsIn(where), order: "due_at", limit: most, skipLocked: true },
    tx,
  )
  await tx.email.updateMany({ where: { id: { in: locked.map(({ id }) => id) } }, data: reasonData(reason) })
}

/** Moves a scheduled email to another time: false if it is no longer scheduled, null if it does not exist. */
export async function moveEmail(scope: Scope, emailId: string, at: Date): Promise<Email | false | null> {
  const moved = await db(scope).$transaction(async (tx) => {
    const row = await moveRow(scope, emailId, at, tx)
    if (!row) return null
    const data = {
      to: row.toHeaders.join(", "),
      subject: row.subject,
      scheduledAt: at.toISOString(),
      previously: row.previously.toISOString(),
    }
    await addEvents(scope, [{ emailId, type: "rescheduled", data }], tx)
    return findEmail(scope, emailId, tx)
  })
  if (moved) return moved
  return (await emailExists(scope, emailId)) ? false : null
}
