import { setTimeout as wait } from "node:timers/promises"
import { dayMs } from "@/lib/platform/time"
import { acceptGroup, type Group } from "@/lib/broadcasts/accept-group"
import type { HeldBroadcast } from "@/lib/broadcasts/claim-sql"
import {
  advanceBroadcast,
  areBuilding,
  beginBroadcast,
  endBroadcast,
  keepContentId,
  postponeBroadcast,
  restBroadcast,
} from "@/lib/broadcasts/held-store"
import { readLoad } from "@/lib/broadcasts/load-sql"
import { findPlan, type Plan } from "@/lib/broadcasts/plan-store"
import { roomOf, stopReason, type BroadcastStatus } from "@/lib/broadcasts/rules"
import { findOutcome, stopBroadcast } from "@/lib/broadcasts/stop-store"
import { nextPage, within, type Place } from "@/lib/broadcasts/walk"
import { countRecipients, type Walk } from "@/lib/broadcasts/walk-sql"
import { storeBroadcastContent, type BroadcastMail } from "@/lib/emails/broadcast-send"
import { projectById } from "@/lib/projects/data"
import { idTime } from "@/lib/platform/ids"

const buildingSeconds = 2
const failedSeconds = 5
/** The quota may be raised before the next day. */
const quotaSecondsMax = 300
const idleMs = 200
const judgeEveryMs = 1_000
/** Retention removes content by its age, so a broadcast that takes long stores it anew. */
const contentMsMax = dayMs

/**
 * Sends a broadcast until it is done, paused or must wait. If the worker dies, the next one continues after the last people that
 * were noted; those in between are recognized by their keys.
 */
export async function runBroadcast(held: HeldBroadcast, signal: AbortSignal): Promise<void> {
  if (!isUnderWay(held.status)) return settle(held, held.status)
  const plan = await findPlan(held)
  if (!plan) return restBroadcast(held)
  try {
    const walk = await begin(held, plan)
    if (walk) await walkOn(held, plan, walk, signal)
  } catch (error) {
    await postponeBroadcast(held, { seconds: failedSeconds })
    throw error
  }
}

const isUnderWay = (status: BroadcastStatus) => status === "preparing" || status === "sending"

/** What is left to do for a broadcast that is not to be sent. */
async function settle(held: HeldBroadcast, status: BroadcastStatus): Promise<void> {
  if (status === "cancelled") return endBroadcast(held)
  return restBroadcast(held)
}

async function begin(held: HeldBroadcast, { sources, topicId }: Plan): Promise<Walk | null> {
  const { id, projectId } = held
  if (held.startedAt === null && (await areBuilding(projectId, sources))) {
    await postponeBroadcast(held, { seconds: buildingSeconds, wait: { reason: "segment_building" } })
    return null
  }
  const startedAt = await beginBroadcast(held, held.recipients ?? (await countRecipients(projectId, sources)))
  return startedAt && { id, projectId, startedAt, topicId }
}

async function walkOn(held: HeldBroadcast, plan: Plan, walk: Walk, signal: AbortSignal): Promise<void> {
  const shared = createContent(held, plan)
  let place: Place = { position: held.position, cursor: held.cursor }
  let takenAt = performance.now()
  let judgedAt = -Infinity
  while (!signal.aborted) {
    const load = await readLoad(held)
    if (!load) return
    if (!isUnderWay(load.status)) return settle(held, load.status)
    if (performance.now() - judgedAt > judgeEveryMs) {
      if (await stopsItself(held)) return
      judgedAt = performance.now()
    }
    const room = roomOf(load, performance.now() - takenAt)
    const page = room > 0 ? await nextPage(walk, plan.sources, place) : { met: [], behind: place }
    if (!page) return endBroadcast(held)
    const met = within(page.met, room)
    const group = await acceptGroup(shared, walk, met)
    const behind = met.length === page.met.length ? page.behind : place
    const done = group.refused || met.length < page.met.length ? (group.then ?? place) : behind
    if (group.size > 0) takenAt = performance.now()
    if (done.position !== place.position || done.cursor !== place.cursor) {
      const status = await advanceBroadcast(held, { ...done, ...group.counts })
      if (!status) return
      if (!isUnderWay(status)) return settle(held, status)
      place = done
    }
    if (group.refused && (await waitsOrStops(held, group.refused))) return
    if (group.refused || room === 0) await wait(idleMs, undefined, { signal }).catch(() => undefined)
  }
  await postponeBroadcast(held, { seconds: 0 })
}

/** Stores the content when the first email needs it, and again once it is old. Answers null where there is no room for it. */
function createContent(held: HeldBroadcast, { email }: Plan): () => Promise<BroadcastMail | null> {
  const { id: broadcastId, projectId, keyId, userId, requestId } = held
  let contentId = held.contentId
  return async () => {
    if (!contentId || Date.now() - idTime(contentId) > contentMsMax) {
      contentId = await storeBroadcastContent(projectId, email)
      if (!contentId) return null
      await keepContentId(held, contentId)
    }
    return { broadcastId, contentId, email, author: { keyId, userId, requestId } }
  }
}

async function stopsItself(held: HeldBroadcast): Promise<boolean> {
  const outcome = await findOutcome(held)
  const reason = stopReason(outcome)
  if (reason) await stopBroadcast(held, reason, outcome)
  return reason !== null
}

/** True where it cannot go on now. */
async function waitsOrStops(held: HeldBroadcast, refused: NonNullable<Group["refused"]>): Promise<boolean> {
  if (refused.outcome === "rate_exceeded") return false
  if (refused.outcome === "project_suspended" && (await projectById(held.projectId))?.status !== "suspended") {
    // Deleted: it is not claimed until the project is restored, and then goes on.
    await postponeBroadcast(held, { seconds: 0 })
    return true
  }
  if (refused.outcome !== "daily_exceeded") {
    await stopBroadcast(held, refused.outcome)
    return true
  }
  const seconds = Math.min(refused.retryAfter, quotaSecondsMax)
  await postponeBroadcast(held, { seconds, wait: { reason: "daily_quota", seconds: refused.retryAfter } })
  return true
}
