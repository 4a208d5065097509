import { addAudit, addSystemAudit } from "@/lib/access/audit/data"
import { requireSender } from "@/lib/access/authorize"
import { parseAddress } from "@/lib/addresses/address"
import { readContent, readEntries } from "@/lib/broadcasts/content-schema"
import { dueAt, isAtLimit, resultsOf, readTemplate } from "@/lib/broadcasts/data"
import {
  type BroadcastStatus,
  heldMax,
  nextStatus,
  statusesFor,
  type BroadcastOutcome,
  type Load,
  type PausedReason,
  type WaitReason,
} from "@/lib/broadcasts/rules"
import { noCounts, reachedOf } from "@/lib/metrics/rules"
import { databaseTime, secondsAfter } from "@/lib/platform/database/clock-sql"
import { lockProject, lockRow } from "@/lib/platform/database/locks-sql"
import { db, type ScopedArgs, type ScopedDb } from "@/lib/platform/database/scoped-db"
import type { Scope } from "@/lib/platform/http/scope"
import { encodeId } from "@/lib/platform/ids"
import { changeAndTell } from "@/lib/access/system-mail/data"
import { earlierThan, type RecipientSource, sourcesOf } from "@/lib/broadcasts/sending/walk-sql"
import { isHeld } from "@/lib/delivery/queue/queues/data"
import { secondsToLive } from "@/lib/delivery/queue/rules"
import type { ComposedEmail } from "@/lib/emails/send/schema"
import type { FilledTemplate } from "@/lib/emails/templates/compose"
import { pool } from "@/lib/platform/database/db"
import { columnsOf } from "@/lib/platform/database/shape"
import { claimInTurn, extendLeases } from "@/lib/platform/jobs/leases-sql"
import { projectById } from "@/lib/projects/data"
import { existingTopics } from "@/lib/topics/data"
import type { Prisma } from "@/prisma/generated/client"

type Data = ScopedArgs<"Broadcast", "updateMany">["data"]
type Current = { status: BroadcastStatus; scheduledAt: Date | null; fromHeader: string }

/** The effect of a request on a broadcast: changed, or unchanged because its status does not allow it. */
export type Stepped = "changed" | "conflict" | "full" | "missing"

/** Sends a draft now or at its time, and a scheduled broadcast now. @throws senderNotAllowed */
export function sendNow(scope: Scope, id: string): Promise<Stepped> {
  return step(scope, id, "send", async ({ status, scheduledAt, fromHeader }, tx) => {
    // It may have been changed since it was checked, by somebody who may use another sender.
    const sender = parseAddress(fromHeader)
    if (sender.ok) requireSender(scope, sender.domain)
    const isLater = status === "draft" && scheduledAt !== null && scheduledAt > (await databaseTime(tx))
    const to = isLater ? "scheduled" : "preparing"
    if (status === "draft" && (await isAtLimit(to, tx))) return "full"
    return { status: to, scheduledAt: isLater ? scheduledAt : null, dueAt: await dueAt(to, scheduledAt, tx) }
  })
}

/** A worker that is sending it stops after the group of recipients that it is processing. */
export function pause(scope: Scope, id: string): Promise<Stepped> {
  return step(scope, id, "pause", () => ({
    ...{ status: "paused", pausedReason: "requested" },
    ...{ waitingFor: null, waitingUntil: null },
  }))
}

/** In a restored installation: what a backup of `until` has and was being sent, or came due meanwhile, goes on when somebody resumes it. */
export async function pauseForRestore(projectId: string, until: Date): Promise<void> {
  await db({ project: { id: projectId } }).broadcast.updateMany({
    where: {
      createdAt: { lte: until },
      OR: [{ status: { in: statusesFor("pause") } }, { status: "scheduled", dueAt: { lte: new Date() } }],
    },
    data: { status: "paused", pausedReason: "requested", waitingFor: null, waitingUntil: null },
  })
}

/**
 * Goes on where it was; its rates are judged anew, by what follows. A worker that still holds it, and is about to let it rest, has
 * lost it: the next claim recognizes whom that one has written to.
 */
export async function resumeSending(scope: Scope, id: string): Promise<Stepped> {
  const counts = (await resultsOf(scope, [id])).get(id) ?? noCounts()
  const { sent, bounced, complained } = counts
  return step(scope, id, "resume", async (_, tx) => ({
    ...{ status: "preparing", pausedReason: null, dueAt: await databaseTime(tx), attempt: { increment: 1 } },
    ...{ judgedSent: sent, judgedBounced: bounced, judgedDelivered: reachedOf(counts), judgedComplained: complained },
  }))
}

/** Ends it permanently. The lease is left to expire, so that its worker can still count what it has accepted. */
export function cancel(scope: Scope, id: string): Promise<Stepped> {
  return step(scope, id, "cancel", async ({ status }, tx) => ({
    ...{ status: "cancelled", endedAt: await databaseTime(tx), pausedReason: null },
    ...{ waitingFor: null, waitingUntil: null },
    ...(status === "scheduled" && { dueAt: null }),
  }))
}

type Step = "send" | "pause" | "resume" | "cancel"

async function step(
  scope: Scope,
  id: string,
  name: Step,
  changeOf: (current: Current, tx: ScopedDb) => Promise<Data | "full"> | Data,
): Promise<Stepped> {
  return db(scope).$transaction(async (tx) => {
    if (name === "send") await lockProject(scope, tx)
    // What the step is judged by stays as it is until the step is taken.
    await lockRow({ of: scope, table: "broadcasts" }, id, tx)
    const row = await tx.broadcast.findUnique({
      where: { id },
      select: { status: true, scheduledAt: true, subject: true, fromHeader: true },
    })
    if (!row) return "missing"
    const { subject, ...state } = row
    const current = { ...state, status: row.status as BroadcastStatus }
    if (nextStatus(current.status, name) === null) return "conflict"
    const data = await changeOf(current, tx)
    if (data === "full") return "full"
    const updatedAt = await databaseTime(tx)
    const { count } = await tx.broadcast.updateMany({
      where: { id, status: current.status },
      data: { ...data, updatedAt },
    })
    if (!count) return "conflict"
    await addAudit(scope, { action: `broadcasts.${name}`, target: encodeId("bc", id), name: subject }, tx)
    return "changed"
  })
}

// What a worker changes of a broadcast that it holds: `attempt` fences each change.

const within = ({ projectId }: HeldBroadcast) => db({ project: { id: projectId } })
const own = ({ id, attempt }: HeldBroadcast) => ({ id, attempt })
const underWay = { status: { in: ["preparing", "sending"] } }

/** Ends the lease: nothing is due. */
export async function restBroadcast(held: HeldBroadcast): Promise<void> {
  await within(held).broadcast.updateMany({ where: own(held), data: { dueAt: null } })
}

/** Makes it due again after this number of seconds, with a reason if people should see that it waits. */
export async function postponeBroadcast(
  held: HeldBroadcast,
  { seconds, wait }: { seconds: number; wait?: { reason: WaitReason; seconds?: number } },
): Promise<void> {
  const now = await databaseTime(within(held))
  await within(held).broadcast.updateMany({
    where: { ...own(held), ...underWay },
    data: {
      dueAt: secondsAfter(now, seconds),
      waitingFor: wait?.reason ?? null,
      waitingUntil: wait?.seconds === undefined ? null : secondsAfter(now, wait.seconds),
    },
  })
}

/** Begins the walk, once; answers when it began, or null if it is no longer ours to send. */
export async function beginBroadcast(held: HeldBroadcast, recipients: number): Promise<Date | null> {
  const startedAt = held.startedAt ?? (await databaseTime(within(held)))
  const tracked = held.startedAt ? {} : await trackedNow(held)
  const { count } = await within(held).broadcast.updateMany({
    where: { ...own(held), ...underWay },
    data: { status: "sending", recipients, startedAt, ...tracked },
  })
  return count ? startedAt : null
}

/** What is tracked of its emails: as the broadcast says, else as the project does now. */
async function trackedNow({ projectId, openTracking, clickTracking }: HeldBroadcast) {
  const settings = (await projectById(projectId))?.trackingSettings
  return {
    openTracking: openTracking ?? settings?.openTracking ?? null,
    clickTracking: clickTracking ?? settings?.clickTracking ?? null,
  }
}

/** Under which id the content of its emails is stored. */
export async function keepContentId(held: HeldBroadcast, contentId: string): Promise<void> {
  await within(held).broadcast.updateMany({ where: own(held), data: { contentId } })
}

export type Progress = {
  position: number
  cursor: string | null
  accepted: number
  unsubscribed: number
  suppressed: number
  topicOptOut: number
  joined: number
}

/**
 * Notes how far the walk is, with what was counted on the way: both or neither. Answers the status, in which somebody may have
 * paused it; null if another worker has taken it over.
 */
export async function advanceBroadcast(
  held: HeldBroadcast,
  { position, cursor, ...counts }: Progress,
): Promise<BroadcastStatus | null> {
  const [row] = await within(held).broadcast.updateManyAndReturn({
    where: own(held),
    data: {
      position,
      cursor,
      accepted: { increment: counts.accepted },
      unsubscribed: { increment: counts.unsubscribed },
      suppressed: { increment: counts.suppressed },
      topicOptOut: { increment: counts.topicOptOut },
      joined: { increment: counts.joined },
    },
    select: { status: true },
  })
  return row ? (row.status as BroadcastStatus) : null
}

/**
 * Ends the walk, or clears away after a cancellation. The emails are counted once more: a member who left in the moment between
 * a crash and its repetition was not met again. Who left before their turn is known now.
 */
export async function endBroadcast(held: HeldBroadcast): Promise<void> {
  const accepted = await within(held).email.count({
    where: { broadcastId: held.id, admittedStatus: { not: "suppressed" } },
  })
  await within(held).$transaction(async (tx) => {
    const [row] = await tx.broadcast.updateManyAndReturn({
      where: { ...own(held), status: { in: ["sending", "cancelled"] } },
      data: { dueAt: null, accepted },
      select: endShape,
    })
    if (!row) return
    const isCancelled = row.status === "cancelled"
    const met = accepted + row.unsubscribed + row.suppressed + row.topicOptOut
    await tx.broadcast.updateMany({
      where: own(held),
      data: {
        endedAt: row.endedAt ?? (await databaseTime(tx)),
        leftBefore: isCancelled ? 0 : Math.max(0, (row.recipients ?? 0) + row.joined - met),
        status: isCancelled ? "cancelled" : "sent",
      },
    })
  })
}

const endShape = {
  ...{ status: true, endedAt: true, recipients: true, joined: true },
  ...{ unsubscribed: true, suppressed: true, topicOptOut: true },
} as const

/** What was deleted of a broadcast, so that it cannot be sent: its topic, or every segment and topic among its recipients. */
export async function findDeletion(
  projectId: string,
  { sources, topicId }: Pick<Plan, "sources" | "topicId">,
): Promise<"topic_deleted" | "audience_deleted" | null> {
  const { segments, topics } = earlierThan(sources, sources.length)
  const existing = await existingTopics(projectId, topicId === null ? topics : [topicId, ...topics])
  if (topicId !== null && !existing.has(topicId)) return "topic_deleted"
  if (segments.length + topics.length === 0 || topics.some((id) => existing.has(id))) return null
  const where = { id: { in: segments }, deletedAt: null }
  const count = await db({ project: { id: projectId } }).segment.count({ where })
  return count === 0 ? "audience_deleted" : null
}

/** The content, the template where each recipient gets a text of their own, and the recipients. */
export type Plan = {
  email: ComposedEmail
  template: FilledTemplate | null
  sources: RecipientSource[]
  topicId: string | null
}

/** Null where the broadcast was removed with its project. */
export async function findPlan({ projectId, id }: HeldBroadcast): Promise<Plan | null> {
  const select = { content: true, template: true, entries: true, topicId: true } as const
  const row = await db({ project: { id: projectId } }).broadcast.findUnique({ where: { id }, select })
  if (!row) return null
  return {
    email: { ...readContent(row.content), to: [] },
    template: readTemplate(row.template)?.personal ?? null,
    sources: sourcesOf(readEntries(row.entries)),
    topicId: row.topicId,
  }
}

/** What became of the emails of a broadcast since it was last resumed. */
export async function findOutcome({ projectId, id }: HeldBroadcast): Promise<BroadcastOutcome> {
  const scope = { project: { id: projectId } }
  const select = { judgedSent: true, judgedBounced: true, judgedDelivered: true, judgedComplained: true } as const
  const [results, before] = await Promise.all([
    resultsOf(scope, [id]),
    db(scope).broadcast.findUnique({ where: { id }, select }),
  ])
  const counts = results.get(id) ?? noCounts()
  const { sent, bounced, complained } = counts
  return {
    sent: sent - (before?.judgedSent ?? 0),
    bounced: bounced - (before?.judgedBounced ?? 0),
    delivered: reachedOf(counts) - (before?.judgedDelivered ?? 0),
    complained: complained - (before?.judgedComplained ?? 0),
  }
}

/**
 * Pauses a broadcast by itself, unless it is no longer ours or somebody has paused or cancelled it. The owners are told of its
 * rates; what forbids to send, they know.
 */
export async function stopBroadcast(
  { projectId, id, attempt }: HeldBroadcast,
  reason: Exclude<PausedReason, "requested" | "schedule_missed">,
  outcome?: BroadcastOutcome,
): Promise<void> {
  await changeAndTell(projectId, async (tx, { organizationId }) => {
    const [stopped] = await tx.broadcast.updateManyAndReturn({
      where: { id, attempt, status: { in: statusesFor("stop") } },
      data: { status: "paused", pausedReason: reason, dueAt: null },
      select: { subject: true },
    })
    if (!stopped) return null
    await auditStop({ id, projectId, organizationId }, { reason, ...outcome }, tx)
    if (!outcome || (reason !== "bounces" && reason !== "complaints")) return null
    const [count, of] = reason === "bounces" ? [outcome.bounced, outcome.sent] : [outcome.complained, outcome.delivered]
    const { subject } = stopped
    return {
      notice: { kind: "broadcast-stopped", subject, reason, count, of },
      page: `broadcasts/${encodeId("bc", id)}`,
    }
  })
}

type OwnedBroadcast = { id: string; projectId: string; organizationId: string }

function auditStop({ id, ...of }: OwnedBroadcast, changes: { reason: PausedReason }, tx: ScopedDb): Promise<void> {
  return addSystemAudit(of, { action: "broadcasts.stop", target: encodeId("bc", id), changes }, tx)
}

// Raw SQL from here on: leases over all projects, and walks that page by key over large tables.

const shape = {
  ...{ id: true, projectId: true, status: true, attempt: true, contentId: true, position: true, cursor: true },
  ...{ startedAt: true, recipients: true, openTracking: true, clickTracking: true },
  ...{ keyId: true, userId: true, requestId: true, pausedReason: true },
} as const

/** A broadcast that this worker holds until its lease ends; `attempt` is the fencing token. */
export type HeldBroadcast = Omit<Prisma.BroadcastGetPayload<{ select: typeof shape }>, "status"> & {
  status: BroadcastStatus
  organizationId: string
}

/** A scheduled broadcast that could not begin for as long as a single email is attempted; who scheduled it decides whether it still goes. */
const isMissed = `(status = 'scheduled' AND scheduled_at < now() - make_interval(secs => ${secondsToLive(null)}))`

/**
 * Takes broadcasts that are due, scheduled ones because their time has come, in turn between organizations; they come back after
 * the lease if their worker dies.
 */
export function claimBroadcasts(
  limit: number,
  leaseMs: number,
  served: readonly string[] = [],
): Promise<HeldBroadcast[]> {
  return claimInTurn<HeldBroadcast>("broadcasts", {
    ...{ limit, leaseMs, served },
    // A deleted project may be restored.
    where: "p.deleted_at IS NULL",
    set: `attempt = attempt + 1, waiting_for = NULL, waiting_until = NULL,
      status = CASE WHEN ${isMissed} THEN 'paused' WHEN status = 'scheduled' THEN 'preparing' ELSE status END,
      paused_reason = CASE WHEN ${isMissed} THEN 'schedule_missed' ELSE paused_reason END`,
    returning: columnsOf(shape, "broadcasts"),
  })
}

/** Says in the audit log that a claim has paused a broadcast that missed its time. */
export async function recordMissed({ id, projectId, organizationId }: HeldBroadcast): Promise<void> {
  const scope = { project: { id: projectId } }
  await db(scope).$transaction((tx) => auditStop({ id, projectId, organizationId }, { reason: "schedule_missed" }, tx))
}

/** Extends the leases; answers the broadcasts that are still held and are to be sent. */
export function holdBroadcasts(held: readonly HeldBroadcast[], leaseMs: number): Promise<HeldBroadcast[]> {
  return extendLeases("broadcasts", held, { leaseMs, held: "t.status IN ('preparing', 'sending')" })
}

/** Due deliveries of the project in some of the queues, as many as are looked at: enough to tell that there are too many. */
const waitingIn = (queues: string) => `(SELECT d.email_id FROM delivery_queues q, LATERAL (
          SELECT d.email_id FROM deliveries d WHERE d.queue_id = q.id AND d.project_id = $1
            AND d.due_at <= now() AND d.status = 'queued' LIMIT ${heldMax}) d
        WHERE ${queues} LIMIT ${heldMax})`

/** With the status of the broadcast, and for how long it has written to nobody. */
type LoadNow = Load & { status: BroadcastStatus; sinceMs: number }

/** How much the project sends at this moment; null if another worker has taken the broadcast over. */
export async function readLoad({ projectId, id, attempt }: HeldBroadcast): Promise<LoadNow | null> {
  const { rows } = await pool().query<LoadNow>({
    name: "broadcasts.load",
    text: `SELECT b.status, p.per_second_sends AS rate, size.burst, waiting.queued, held.held,
        least(size.burst, a.tokens + greatest(0, extract(epoch FROM now() - a.refilled_at)) * p.per_second_sends)::float8 AS tokens,
        waiting.others > 0 OR EXISTS (SELECT 1 FROM emails e WHERE e.project_id = $1 AND e.due_at <= now()) AS "othersWait",
        (extract(epoch FROM now() - coalesce(latest.created_at, b.started_at)) * 1000)::float8 AS "sinceMs",
        (SELECT count(*)::int FROM broadcasts o WHERE o.project_id = $1 AND o.status = 'sending' AND o.due_at IS NOT NULL) AS active
      FROM broadcasts b JOIN projects p ON p.id = b.project_id JOIN send_allowances a ON a.project_id = p.id
        LEFT JOIN LATERAL (
          SELECT e.created_at, (SELECT d.region FROM deliveries d WHERE d.project_id = $1 AND d.email_id = e.id LIMIT 1) AS region
            FROM emails e WHERE e.project_id = $1 AND e.broadcast_id = $2 ORDER BY e.id DESC LIMIT 1) latest ON true,
        LATERAL (SELECT greatest(100, 20 * p.per_second_sends::float8) AS burst) size,
        LATERAL (
          SELECT count(*) FILTER (WHERE e.broadcast_id IS NOT NULL)::int AS queued,
              count(*) FILTER (WHERE e.broadcast_id IS NULL)::int AS others
            FROM ${waitingIn(`NOT ${isHeld}`)} d
            JOIN emails e ON e.project_id = $1 AND e.id = d.email_id) waiting,
        LATERAL (SELECT count(*)::int AS held FROM ${waitingIn(`${isHeld} AND q.region = latest.region`)} d) held
      WHERE b.project_id = $1 AND b.id = $2 AND b.attempt = $3`,
    values: [projectId, id, attempt],
  })
  return rows[0] ?? null
}
