import { runRepeatedly } from "@/lib/platform/jobs/leases"
import { log } from "@/lib/platform/log"
import { suppressedBy } from "@/lib/delivery/queue/claims/messages-sql"
import { emailExists, addEvents } from "@/lib/emails/data"
import { cancelRows, endSchedule, explainWait, postpone, reasonData } from "@/lib/emails/schedule/data"
import { eventDataOf, type FailureCode, type Reason, type ReasonCode } from "@/lib/explanation/codes"
import { databaseTime } from "@/lib/platform/database/clock-sql"
import { distinctIds, firstId } from "@/lib/platform/database/bounded-reads-sql"
import { lockRows } from "@/lib/platform/database/locks-sql"
import { db, type InProject, type ScopedDb } from "@/lib/platform/database/scoped-db"
import type { Scope } from "@/lib/platform/http/scope"
import { dayMs } from "@/lib/platform/time"
import { withAllowance } from "@/lib/projects/quota/data"
import { Prisma } from "@/prisma/generated/client"

const postponedEveryMs = 15_000

/** Queues scheduled mail when its time has come, until the signal aborts. Never rejects. */
export async function runScheduledRelease(signal: AbortSignal, intervalMs = 250): Promise<void> {
  let behind: string | undefined
  await Promise.all([
    runRepeatedly({
      name: "scheduled release",
      intervalMs,
      signal,
      async round() {
        const { found, more, next } = await releaseRound(behind)
        behind = next
        return more || (found && "soon")
      },
    }),
    runRepeatedly({
      name: "postponed email",
      intervalMs: postponedEveryMs,
      restMs: postponedEveryMs,
      signal,
      round: async () => (await hurryPostponed()) > 0 && "soon",
    }),
  ])
}

/** One group of each project with due mail, so that none waits for another's long list. */
export async function releaseRound(
  behind?: string,
): Promise<{ found: boolean; more: boolean; next: string | undefined }> {
  const { ids, next } = await projectsDue(behind)
  let more = next !== undefined
  for (const projectId of ids) {
    try {
      if (await releaseDue(projectId)) more = true
    } catch (error) {
      log.error({ err: error, projectId }, "scheduled mail of a project could not be released in this round")
    }
  }
  return { found: ids.length > 0, more, next }
}

/** How long scheduled email waits for the daily allowance after its time. */
const waitHoursMax = 72

/**
 * `expired`: due so long ago that it does not wait another day. `reachable`: at least one recipient is not suppressed.
 * `domainDeleted`: its sending domain was deleted while it was scheduled.
 */
export type Due = {
  id: string
  subject: string
  to: string[]
  testMode: boolean
  /** Of its sender. */
  domain: string | null
  expired: boolean
  reachable: boolean
  domainDeleted: boolean
}

type ReleasePlan = { release: Due[]; cost: number; expired: Due[]; tomorrow: Due[]; withoutDomain: Due[] }

/** In the order in which they became due. Test mail and mail whose every recipient is suppressed cost nothing. */
export function planRelease(due: readonly Due[], { used, daily }: { used: number; daily: number }): ReleasePlan {
  const plan: ReleasePlan = { release: [], cost: 0, expired: [], tomorrow: [], withoutDomain: [] }
  for (const email of due) {
    if (email.domainDeleted) {
      plan.withoutDomain.push(email)
      continue
    }
    const cost = email.testMode || !email.reachable ? 0 : 1
    if (used + plan.cost + cost <= daily || cost === 0) {
      plan.release.push(email)
      plan.cost += cost
    } else if (email.expired) plan.expired.push(email)
    else plan.tomorrow.push(email)
  }
  return plan
}

/** Cancels a scheduled email: false if its time has come or it was never scheduled, null if it does not exist. */
export async function cancelOne(scope: Scope, emailId: string): Promise<boolean | null> {
  if ((await cancelScheduled(scope, [emailId])) === 1) return true
  return (await emailExists(scope, emailId)) ? false : null
}

/** Cancels those of these emails that are scheduled; the statuses of the others, as far as the project has them. */
export async function cancelThese(
  scope: Scope,
  emailIds: string[],
): Promise<{ cancelled: Set<string>; statuses: Map<string, string> }> {
  const cancelled = new Set(await cancel(scope, emailIds))
  const others = await db(scope).email.findMany({
    where: { id: { in: emailIds.filter((id) => !cancelled.has(id)) } },
    select: { id: true, status: true },
  })
  return { cancelled, statuses: new Map(others.map(({ id, status }) => [id, status])) }
}

/** Cancels up to 1,000 scheduled emails, all or those of these ids; how many. */
export async function cancelScheduled(scope: Scope, emailIds: string[] | null = null): Promise<number> {
  return (await cancel(scope, emailIds)).length
}

async function cancel(scope: Scope, emailIds: string[] | null): Promise<string[]> {
  return db(scope).$transaction(async (tx) => {
    const now = await databaseTime(tx)
    const rows = await cancelRows(scope, emailIds, now, tx)
    if (!rows.length) return []
    await tx.delivery.updateMany({
      where: { emailId: { in: rows.map(({ id }) => id) }, status: "scheduled" },
      data: { status: "cancelled", dueAt: null, endedAt: now, updatedAt: now },
    })
    const events = rows.map(({ id, subject, toHeaders }) => ({
      emailId: id,
      type: "cancelled",
      data: { to: toHeaders.join(", "), subject },
    }))
    await addEvents(scope, events, tx)
    return rows.map(({ id }) => id)
  })
}

/** Emails of one project that are released in one transaction. */
const groupMax = 100

type At = { scope: InProject; now: Date; tx: ScopedDb }

/**
 * Releases due mail of one project: debits the day and the send bucket, as admission does for the rest, and queues it. True
 * if more could be released at once.
 */
export async function releaseDue(projectId: string): Promise<boolean> {
  const released = await withAllowance(projectId, async (allowance, tx) => {
    const { tokens, rate, daily, day, now } = allowance
    const at = { scope: { project: { id: projectId } }, now, tx }
    const limit = Math.min(groupMax, Math.floor(tokens))
    const due = limit > 0 ? await lockDue(at.scope, limit, tx) : []
    const plan = planRelease(due, allowance)
    await release(plan.release, at)
    await giveUp(plan.expired, { code: "quota", facts: { hours: waitHoursMax } }, at)
    for (const domain of new Set(plan.withoutDomain.map((email) => email.domain))) {
      const emails = plan.withoutDomain.filter((email) => email.domain === domain)
      await giveUp(emails, { code: "schedule_domain_deleted", facts: domain === null ? {} : { domain } }, at)
    }
    await holdUntil(new Date(day.getTime() + dayMs), plan.tomorrow, daily, at)
    // Mail over the project's rate stays due with the reason; at that rate it is sent within minutes.
    const isRateUsedUp = due.length < groupMax && due.length === limit
    if (isRateUsedUp) await explainWait(at.scope, { code: "rate_limit", facts: { perSecond: rate } }, groupMax, tx)
    return { cost: plan.cost, result: due.length === groupMax }
  })
  return released ?? false
}

async function release(emails: readonly Due[], { scope, now, tx }: At): Promise<void> {
  if (emails.length === 0) return
  const ids = emails.map(({ id }) => id)
  const deliveries = await releaseDeliveries(scope, ids, tx)
  const reached = new Set(deliveries.flatMap(({ emailId, suppressedBy }) => (suppressedBy === null ? [emailId] : [])))
  const queued = emails.filter(({ id }) => reached.has(id))
  await endSchedule(idsOf(queued), { status: "queued" }, now, tx)
  await endSchedule(
    ids.filter((id) => !reached.has(id)),
    { status: "suppressed" },
    now,
    tx,
  )
  const subjects = new Map(emails.map(({ id, subject }) => [id, subject]))
  const suppressed = deliveries.flatMap(({ id: deliveryId, emailId, address, suppressedBy: reason }) => {
    const data = { to: address, subject: subjects.get(emailId) ?? "" }
    return reason === null ? [] : [{ emailId, deliveryId, type: "suppressed", data: { ...data, reason } }]
  })
  await addEvents(scope, [...queued.map((email) => eventOf("queued", email)), ...suppressed], tx)
}

async function giveUp(emails: readonly Due[], reason: Reason<FailureCode>, { scope, now, tx }: At): Promise<void> {
  if (emails.length === 0) return
  const ids = idsOf(emails)
  await endSchedule(ids, { status: "failed", reason }, now, tx)
  await tx.delivery.updateMany({
    where: { emailId: { in: ids }, status: "scheduled" },
    data: { status: "failed", dueAt: null, ...reasonData(reason), endedAt: now, updatedAt: now },
  })
  const events = emails.map((email) => eventOf("failed", email, eventDataOf(reason)))
  await addEvents(scope, events, tx)
}

async function holdUntil(until: Date, emails: readonly Due[], daily: number, { now, tx }: At): Promise<void> {
  if (emails.length === 0) return
  await postpone(
    idsOf(emails),
    { until, reason: { code: "daily_limit", facts: { daily, until: until.toISOString() } } },
    now,
    tx,
  )
}

/** Of a project, until these have been released or postponed again. */
const hurriedMax = 1_000

/**
 * Makes email due that waits for the next day though its organization may send more today, because somebody has raised the limit:
 * for all projects, up to a thousand of each. Answers how many.
 */
export async function hurryPostponed(): Promise<number> {
  const now = await databaseTime()
  const midnight = new Date(now.getTime() - (now.getTime() % dayMs) + dayMs)
  let count = 0
  for (const id of await projectsWithRoom()) {
    const emails = db({ project: { id } }).email
    const where = { status: "scheduled", reason: "daily_limit" satisfies ReasonCode, dueAt: midnight }
    const held = await emails.findMany({
      where,
      select: { id: true },
      orderBy: { scheduledAt: "asc" },
      take: hurriedMax,
    })
    const hurried = await emails.updateMany({
      where: { ...where, id: { in: held.map((email) => email.id) } },
      data: { dueAt: now, ...reasonData(null), updatedAt: now },
    })
    count += hurried.count
  }
  return count
}

const idsOf = (emails: readonly Due[]) => emails.map(({ id }) => id)

function eventOf(type: string, { id, subject, to }: Due, details: Record<string, string> = {}) {
  return { emailId: id, type, data: { to: to.join(", "), subject, ...details } }
}

const projectsMax = 200

/** Projects with scheduled mail that is due, after a project in the order of ids; `next` is where to continue. */
async function projectsDue(behind: string = firstId): Promise<{ ids: string[]; next: string | undefined }> {
  const ids = await distinctIds(behind, {
    ...{ name: "scheduled.projects", table: "emails", column: "project_id", where: "due_at IS NOT NULL" },
    also: `EXISTS (SELECT 1 FROM projects p WHERE p.id = walk.id AND p.suspended_at IS NULL AND p.deleted_at IS NULL)
        AND EXISTS (SELECT 1 FROM emails e WHERE e.project_id = walk.id AND e.due_at <= now())`,
    limit: projectsMax,
  })
  return { ids, next: ids.length === projectsMax ? ids.at(-1) : undefined }
}

const utcDay = "(now() AT TIME ZONE 'UTC')::date"

/** Projects with email that waits for the next day, and none that is due, whose organization may send more today. */
function projectsWithRoom(): Promise<string[]> {
  return distinctIds(firstId, {
    ...{ name: "scheduled.with_room", table: "emails", column: "project_id", where: "due_at IS NOT NULL" },
    also: `EXISTS (SELECT 1 FROM projects p JOIN organizations o ON o.id = p.organization_id
          LEFT JOIN quota_days q ON q.organization_id = o.id AND q.day = ${utcDay}
          WHERE p.id = walk.id AND p.suspended_at IS NULL AND p.deleted_at IS NULL AND coalesce(q.used, 0) < o.daily_sends)
        AND EXISTS (SELECT 1 FROM emails e WHERE e.project_id = walk.id
          AND e.due_at = (${utcDay} + 1)::timestamp AT TIME ZONE 'UTC' AND e.reason = 'daily_limit')
        AND NOT EXISTS (SELECT 1 FROM emails e WHERE e.project_id = walk.id AND e.due_at <= now())`,
    limit: projectsMax,
  })
}

const notSent = suppressedBy("d", "e.topic_id")

/** Locks up to `limit` due emails; one that is being cancelled at this moment is skipped. */
function lockDue(scope: InProject, limit: number, tx: ScopedDb): Promise<Due[]> {
  const ownDue = Prisma.sql`e.project_id = ${scope.project.id}::uuid AND e.due_at <= now() AND e.status = 'scheduled'`
  return lockRows<Due>(
    { columns: dueColumns, table: "emails e", where: ownDue, order: "e.due_at", limit, skipLocked: true },
    tx,
  )
}

const dueColumns = `e.id, e.subject, e.to_headers AS "to", e.test_mode AS "testMode",
  substring(e.from_header FROM '@([^@>\\s]+)>?\\s*$') AS domain,
  e.scheduled_at < now() - make_interval(hours => ${waitHoursMax}) AS expired,
  NOT EXISTS (SELECT 1 FROM domains o WHERE o.project_id = e.project_id AND o.id = e.domain_id) AS "domainDeleted",
  EXISTS (SELECT 1 FROM deliveries d WHERE d.project_id = e.project_id AND d.email_id = e.id
    AND d.status = 'scheduled' AND ${notSent} IS NULL) AS reachable`

type ReleasedDelivery = { id: string; emailId: string; address: string; suppressedBy: string | null }

/** Queues the scheduled deliveries of these emails, or suppresses those whose recipient was suppressed meanwhile: a function decides. */
function releaseDeliveries(scope: InProject, emailIds: readonly string[], tx: ScopedDb): Promise<ReleasedDelivery[]> {
  return tx.$queryRaw<ReleasedDelivery[]>`
    UPDATE deliveries o SET status = CASE WHEN r.suppressed_by IS NULL THEN 'queued' ELSE 'suppressed' END,
        suppressed_by = r.suppressed_by, due_at = CASE WHEN r.suppressed_by IS NULL THEN now() END,
        ended_at = CASE WHEN r.suppressed_by IS NOT NULL THEN now() END, updated_at = now()
      FROM (SELECT d.id, ${Prisma.raw(notSent)} AS suppressed_by
        FROM deliveries d JOIN emails e ON e.project_id = d.project_id AND e.id = d.email_id
        WHERE d.project_id = ${scope.project.id}::uuid AND d.email_id = ANY (${emailIds}::uuid[])
          AND d.status = 'scheduled') r
      WHERE o.id = r.id RETURNING o.id, o.email_id AS "emailId", o.address, o.suppressed_by AS "suppressedBy"`
}
