import { parseAddress } from "@/lib/addresses/address"
import {
  type BroadcastStatus,
  decide,
  heldMax,
  type Load,
  type RecipientDecision,
  roomOf,
  stopReason,
} from "@/lib/broadcasts/rules"
import {
  advanceBroadcast,
  beginBroadcast,
  claimBroadcasts,
  endBroadcast,
  findDeletion,
  findOutcome,
  findPlan,
  type HeldBroadcast,
  holdBroadcasts,
  keepContentId,
  type Plan,
  postponeBroadcast,
  type Progress,
  readLoad,
  recordMissed,
  restBroadcast,
  stopBroadcast,
} from "@/lib/broadcasts/sending/data"
import {
  type Candidate,
  countRecipients,
  earlierThan,
  namedCandidate,
  nextMembers,
  type Walk,
  type RecipientSource,
} from "@/lib/broadcasts/sending/walk-sql"
import {
  accept,
  type BroadcastMail,
  broadcastSend,
  type Personal,
  personalOf,
  storeBroadcastContent,
} from "@/lib/emails/send/accept"
import type { Accepted, Send } from "@/lib/emails/send/data"
import { contactReader } from "@/lib/emails/templates/data"
import { encodeId, idTime } from "@/lib/platform/ids"
import { runLeased } from "@/lib/platform/jobs/leases"
import { createRotation } from "@/lib/platform/jobs/rotation"
import { dayMs } from "@/lib/platform/time"
import { projectById } from "@/lib/projects/data"
import { areBuilding } from "@/lib/segments/data"

/** Broadcasts that one process sends at once. */
const atOnce = 4

/** Sends broadcasts that are due until the signal aborts. Never rejects. */
export function runBroadcasts({ signal, leaseMs }: { signal: AbortSignal; leaseMs: number }): Promise<void> {
  const rotation = createRotation<HeldBroadcast>(({ organizationId }) => organizationId)
  return runLeased({
    name: "broadcasts",
    claim: (limit) => rotation.take((served) => claimBroadcasts(limit, leaseMs, served)),
    work: (held, lost) => runBroadcast(held, AbortSignal.any([lost, signal])),
    heartbeat: (held) => holdBroadcasts(held, leaseMs),
    leaseMs,
    intervalMs: 500,
    concurrency: atOnce,
    drainMs: 5_000,
    signal,
  })
}

const buildingSeconds = 2
const failedSeconds = 5
/** The quota may be raised before the next day. */
const quotaSecondsMax = 300
/** Until there may be room again: shorter than the time that the emails in the queue last for. */
const idleSeconds = 0.5
/** Pauses of destinations last for minutes. */
const heldSeconds = 5
/** Pages of one broadcast before those of other organizations go on. */
const pagesAtOnce = 5
/** Retention removes content by its age, so a broadcast that takes long stores it anew. */
const contentMsMax = dayMs

/**
 * Sends some pages of a broadcast, until it is done, paused or must wait. If the worker dies, the next one continues after the
 * last people that were noted; those in between are recognized by their keys.
 */
export async function runBroadcast(held: HeldBroadcast, signal: AbortSignal): Promise<void> {
  if (!isUnderWay(held.status)) return settle(held, held.status)
  try {
    if (held.status === "sending") {
      if (await stopsItself(held)) return
      // Asked before the content is read, which may be large.
      const load = await readLoad(held)
      if (load && isUnderWay(load.status) && roomOf(load, load.sinceMs) === 0) return await waitForRoom(held, load)
    }
    const plan = await findPlan(held)
    if (!plan) return await restBroadcast(held)
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
  if (held.pausedReason === "schedule_missed") await recordMissed(held)
  return restBroadcast(held)
}

function waitForRoom(held: HeldBroadcast, load: Load): Promise<void> {
  if (load.held < heldMax) return postponeBroadcast(held, { seconds: idleSeconds })
  return postponeBroadcast(held, { seconds: heldSeconds, wait: { reason: "delivery_held" } })
}

async function begin(held: HeldBroadcast, { sources, topicId, template }: Plan): Promise<Walk | null> {
  const { id, projectId } = held
  const deleted = await findDeletion(projectId, { sources, topicId })
  if (deleted) {
    await stopBroadcast(held, deleted)
    return null
  }
  const { segments } = earlierThan(sources, sources.length)
  if (held.startedAt === null && (await areBuilding(projectId, segments))) {
    await postponeBroadcast(held, { seconds: buildingSeconds, wait: { reason: "segment_building" } })
    return null
  }
  const startedAt = await beginBroadcast(held, held.recipients ?? (await countRecipients(projectId, sources)))
  return startedAt && { id, projectId, startedAt, topicId, isPersonal: template !== null }
}

async function walkOn(held: HeldBroadcast, plan: Plan, walk: Walk, signal: AbortSignal): Promise<void> {
  const shared = createContent(held, plan)
  let place: Place = { position: held.position, cursor: held.cursor }
  for (let pages = 0; pages < pagesAtOnce && !signal.aborted; pages++) {
    const load = await readLoad(held)
    if (!load) return
    if (!isUnderWay(load.status)) return settle(held, load.status)
    const room = roomOf(load, load.sinceMs)
    if (room === 0) return waitForRoom(held, load)
    const page = await nextPage(walk, plan.sources, place)
    if (!page) return endBroadcast(held)
    const met = within(page.met, room)
    const group = await acceptGroup(shared, walk, met)
    const behind = met.length === page.met.length ? page.behind : place
    const done = group.refused || met.length < page.met.length ? (group.then ?? place) : behind
    if (done.position !== place.position || done.cursor !== place.cursor) {
      const status = await advanceBroadcast(held, { ...done, ...group.counts })
      if (!status) return
      if (!isUnderWay(status)) return settle(held, status)
      place = done
    }
    if (group.refused) return waitOrStop(held, group.refused)
  }
  await postponeBroadcast(held, { seconds: 0 })
}

/** Stores the content when the first email needs it, and again once it is old. Answers null where there is no room for it. */
function createContent(held: HeldBroadcast, { email, template }: Plan): () => Promise<BroadcastMail | null> {
  const { id: broadcastId, projectId, keyId, userId, requestId } = held
  let personal: Personal | null = null
  let contentId = held.contentId
  return async () => {
    if (template) personal ??= personalOf(template, await contactReader({ project: { id: projectId } }))
    if (!contentId || Date.now() - idTime(contentId) > contentMsMax) {
      contentId = await storeBroadcastContent(projectId, email, personal)
      if (!contentId) return null
      await keepContentId(held, contentId)
    }
    return { broadcastId, contentId, email, personal, author: { keyId, userId, requestId } }
  }
}

async function stopsItself(held: HeldBroadcast): Promise<boolean> {
  const outcome = await findOutcome(held)
  const reason = stopReason(outcome)
  if (reason) await stopBroadcast(held, reason, outcome)
  return reason !== null
}

/** It cannot go on now. */
async function waitOrStop(held: HeldBroadcast, refused: Refused): Promise<void> {
  if (refused.outcome === "rate_exceeded") return postponeBroadcast(held, { seconds: idleSeconds })
  if (refused.outcome === "project_suspended" && (await projectById(held.projectId))?.status !== "suspended") {
    // Deleted: it is not claimed until the project is restored, and then goes on.
    return postponeBroadcast(held, { seconds: 0 })
  }
  if (refused.outcome !== "daily_exceeded") return stopBroadcast(held, refused.outcome)
  const seconds = Math.min(refused.retryAfter, quotaSecondsMax)
  return postponeBroadcast(held, { seconds, wait: { reason: "daily_quota", seconds: refused.retryAfter } })
}

type Refused = Exclude<Accepted, { messages: unknown }>

/** What became of a group of people. */
type Group = {
  /** How many were written to. */
  size: number
  counts: Omit<Progress, keyof Place>
  /** The position after the last recipient decided; null if there was none. */
  then: Place | null
  /** Why the next one was refused. */
  refused: Refused | null
}

/**
 * Accepts one email for each of these people who is to be written to, in their order up to the first that is refused: whoever
 * was accepted behind it is recognized when the walk meets them again.
 */
async function acceptGroup(
  content: () => Promise<BroadcastMail | null>,
  walk: Walk,
  met: readonly Met[],
): Promise<Group> {
  const isWritten = met.some(({ decision }) => decision === "send")
  const mail = isWritten ? await content() : null
  if (isWritten && !mail) return { size: 0, counts: noneYet(), then: null, refused: { outcome: "storage_full" } }
  const sends = met.map((one) => (mail && one.decision === "send" ? sendOf(mail, walk, one) : null))
  const answers = await Promise.allSettled(sends.map((send) => send && accept(walk.projectId, send)))
  const group: Group = { size: sends.filter(Boolean).length, counts: noneYet(), then: null, refused: null }
  for (const [at, { candidate, decision, then }] of met.entries()) {
    const answer = answers[at]
    if (answer?.status === "rejected") {
      // Earlier results are kept; an error of the first send fails the whole group.
      if (!group.then) throw answer.reason
      return group
    }
    const accepted = answer?.value ?? null
    if (accepted && !("messages" in accepted)) return { ...group, refused: accepted }
    count(group.counts, accepted ? statusOf(accepted) : decision === "send" ? "suppressed" : decision, candidate)
    group.then = then
  }
  return group
}

/** Null for an address that cannot be written to, which counts as suppressed. */
function sendOf(mail: BroadcastMail, { id, topicId }: Walk, { candidate, source }: Met): Send | null {
  const { contactId, email, contact } = candidate
  const to = source.kind === "address" ? source.address : parseAddress(email)
  if (!to.ok) return null
  const who = source.kind === "address" || contactId === null ? email : encodeId("con", contactId)
  return broadcastSend(mail, {
    key: `broadcast:${encodeId("bc", id)}:${who}`,
    to,
    topicId: topicId ?? (source.kind === "top" ? source.id : null),
    audienceId: publicIdOf(source),
    contact,
  })
}

function publicIdOf(source: RecipientSource): string | null {
  return source.kind === "top" || source.kind === "seg" ? source.publicId : null
}

function statusOf({ messages }: Extract<Accepted, { messages: unknown }>): RecipientDecision {
  return messages[0]?.status === "suppressed" ? "suppressed" : "accepted"
}

function noneYet(): Group["counts"] {
  return { accepted: 0, unsubscribed: 0, suppressed: 0, topicOptOut: 0, joined: 0 }
}

function count(counts: Group["counts"], decision: RecipientDecision, { joined }: Candidate): void {
  if (decision === "skip" || decision === "send") return
  counts[decision] += 1
  if (joined) counts.joined += 1
}

/** Where a walk is: behind this contact of this entry. */
type Place = { position: number; cursor: string | null }

/** A recipient that the walk has reached, the decision, and the position after it. */
type Met = { candidate: Candidate; source: RecipientSource; decision: RecipientDecision; then: Place }

/** People of one statement. */
const pageMax = 200

/** The next people, and where the walk is behind them all; null at the end of all entries. */
async function nextPage(
  walk: Walk,
  sources: readonly RecipientSource[],
  { position, cursor }: Place,
): Promise<{ met: Met[]; behind: Place } | null> {
  const source = sources[position]
  if (!source) return null
  const next = { position: position + 1, cursor: null }
  const isNamed = source.kind === "contact" || source.kind === "address"
  if (isNamed) {
    const candidate = await namedCandidate(walk, sources, position)
    return { met: candidate ? [{ candidate, source, decision: decide(candidate), then: next }] : [], behind: next }
  }
  const page = await nextMembers(walk, { sources, position, cursor }, pageMax)
  const met = page.map((candidate) => ({
    ...{ candidate, source, decision: decide(candidate) },
    then: { position, cursor: candidate.contactId },
  }))
  return { met, behind: page.length < pageMax ? next : { position, cursor: page.at(-1)?.contactId ?? cursor } }
}

/** As many of these people, in their order, as there is room to write to. */
function within(met: readonly Met[], room: number): Met[] {
  let sends = 0
  const end = met.findIndex(({ decision }) => decision === "send" && ++sends > room)
  return end === -1 ? [...met] : met.slice(0, end)
}
