import { dayMs } from "@/lib/platform/time"
import { planRelease, waitHoursMax, type Due } from "@/lib/delivery/scheduling/release-plan"
import { lockDue, releaseDeliveries } from "@/lib/delivery/scheduling/release-sql"
import { addEvents } from "@/lib/emails/events/data"
import { endSchedule, explainWait, postpone, reasonData } from "@/lib/emails/schedule/data"
import { eventDataOf, type FailureCode, type Reason } from "@/lib/explanation/codes"
import type { InProject } from "@/lib/platform/database/scoped-db"
import type { ScopedDb } from "@/lib/platform/database/scoped-types"
import { withAllowance } from "@/lib/projects/quota/data"

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

const idsOf = (emails: readonly Due[]) => emails.map(({ id }) => id)

function eventOf(type: string, { id, subject, to }: Due, details: Record<string, string> = {}) {
  return { emailId: id, type, data: { to: to.join(", "), subject, ...details } }
}
