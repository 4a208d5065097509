import type { HeldBroadcast } from "@/lib/broadcasts/claim-sql"
import type { BroadcastStatus, WaitReason } from "@/lib/broadcasts/rules"
import { earlierThan, type Source } from "@/lib/broadcasts/sources"
import { databaseTime, secondsAfter } from "@/lib/platform/database/clock-sql"
import { db } from "@/lib/platform/database/scoped-db"

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
  const { count } = await within(held).broadcast.updateMany({
    where: { ...own(held), ...underWay },
    data: { status: "sending", recipients, startedAt },
  })
  return count ? startedAt : null
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

/** Whether members of one of these segments are being computed: half would match the earlier filter. */
export async function areBuilding(projectId: string, sources: readonly Source[]): Promise<boolean> {
  const segments = await db({ project: { id: projectId } }).segment.findMany({
    where: { id: { in: earlierThan(sources, sources.length).segments }, deletedAt: null },
    select: { passedVersion: true, filterVersion: true },
  })
  return segments.some(({ passedVersion, filterVersion }) => passedVersion < filterVersion)
}
