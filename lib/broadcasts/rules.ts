export const broadcastStatuses = ["draft", "scheduled", "preparing", "sending", "paused", "sent", "cancelled"] as const
export type BroadcastStatus = (typeof broadcastStatuses)[number]

/** What people and the worker do to a broadcast; `stop` is a pause by the worker. */
export const broadcastSteps = [
  ...(["edit", "schedule", "unschedule", "send", "pause", "resume", "cancel", "delete"] as const),
  ...(["prepare", "begin", "finish", "stop"] as const),
] as const
export type BroadcastStep = (typeof broadcastSteps)[number]

type Next = Partial<Record<BroadcastStep, BroadcastStatus | "deleted">>

const nexts: Record<BroadcastStatus, Next> = {
  draft: { edit: "draft", schedule: "scheduled", send: "preparing", delete: "deleted" },
  scheduled: {
    ...{ edit: "scheduled", schedule: "scheduled", unschedule: "draft", send: "preparing", prepare: "preparing" },
    ...{ stop: "paused", cancel: "cancelled" },
  },
  preparing: { begin: "sending", pause: "paused", stop: "paused", cancel: "cancelled" },
  sending: { pause: "paused", stop: "paused", cancel: "cancelled", finish: "sent" },
  paused: { resume: "preparing", cancel: "cancelled" },
  sent: {},
  cancelled: {},
}

/** The status after a step; null where the status does not allow it. */
export function nextStatus(status: BroadcastStatus, step: BroadcastStep): BroadcastStatus | "deleted" | null {
  return nexts[status][step] ?? null
}

/** The statuses in which a step is allowed. */
export function statusesFor(step: BroadcastStep): BroadcastStatus[] {
  return broadcastStatuses.filter((status) => nextStatus(status, step) !== null)
}

/** Statuses of broadcasts that have not ended. */
export const openBroadcastStatuses = [
  "scheduled",
  "preparing",
  "sending",
  "paused",
] as const satisfies readonly BroadcastStatus[]

/** Broadcasts of a project that may be open at once, and drafts that it may keep. */
export const openBroadcastsMax = 100
export const draftsMax = 500

export const entriesMax = 50

/** Why people are excluded, in the order in which the reasons are checked. */
export const exclusionReasons = ["unsubscribed", "suppressed", "topicOptOut", "left"] as const
export type ExclusionReason = (typeof exclusionReasons)[number]

export const pausedReasons = [
  ...(["requested", "bounces", "complaints"] as const),
  ...(["project_suspended", "domain_not_verified", "storage_full", "schedule_missed"] as const),
  ...(["topic_deleted", "audience_deleted"] as const),
] as const
export type PausedReason = (typeof pausedReasons)[number]

export const waitReasons = ["segment_building", "daily_quota", "delivery_held"] as const
export type WaitReason = (typeof waitReasons)[number]

/** A member as the walk finds it. */
export type WalkedMember = {
  /** Why it would be excluded in its current state. */
  excluded: Exclude<ExclusionReason, "left"> | null
  /** What became of the email that it has got from this broadcast; null for none. */
  admitted: string | null
  /** Whether an earlier entry of the recipients holds it too, where it is counted. */
  earlier: boolean
}

export type RecipientDecision = "send" | "skip" | "accepted" | Exclude<ExclusionReason, "left">

/**
 * What becomes of a member. One that has its email already is counted, and not written to again: then a worker died between
 * accepting it and noting so.
 */
export function decide({ excluded, admitted, earlier }: WalkedMember): RecipientDecision {
  if (admitted !== null) {
    if (earlier) return "skip"
    return admitted === "suppressed" ? "suppressed" : "accepted"
  }
  if (excluded === null) return "send"
  return earlier ? "skip" : excluded
}

/** What is sent in a project, as the pace of its broadcasts depends on it. */
export type Load = {
  /** Messages a second that the project may send, what its bucket holds, and what it holds when full. */
  rate: number
  tokens: number
  burst: number
  /** Email of broadcasts that waits to be sent, without what is held. */
  queued: number
  /** Email that waits because the broadcast's region or the destination of the email is in trouble. */
  held: number
  /** Whether other email waits to be sent. */
  othersWait: boolean
  /** Broadcasts of the project that are being sent. */
  active: number
}

/** Seconds of the project's rate that broadcasts may have in the queue, so that other email waits no longer behind them. */
const queueSeconds = 2
const queuedMin = 10

/** Held email behind which other email to the same destination may have to wait. */
export const heldMax = 2_000

/**
 * How many people a broadcast may write to now, `sinceMs` after it last did: half of the bucket is left to others, the queue is
 * kept short, and while other email waits all broadcasts together take half of the rate. What is held keeps nobody from getting
 * theirs, until it is very much.
 */
export function roomOf({ rate, tokens, burst, queued, held, othersWait, active }: Load, sinceMs: number): number {
  const spare = tokens - burst / 2
  const inQueue = Math.max(queuedMin, queueSeconds * rate) - queued
  const share = rate / 2 / Math.max(1, active)
  const paced = othersWait ? Math.min((share * sinceMs) / 1_000, Math.max(1, share)) : Infinity
  return Math.max(0, Math.floor(Math.min(spare, inQueue, heldMax - held, paced)))
}

/** What became of the emails of a broadcast, as its rates are judged: `delivered` counts what was sent where delivery is not reported. */
export type BroadcastOutcome = { sent: number; bounced: number; delivered: number; complained: number }

/** Emails after which the rates are judged, and the rates above which a broadcast stops itself. */
export const judgedFrom = 500
export const bounceRateMax = 0.05
export const complaintRateMax = 0.003

/** Why a broadcast must stop; null while its rates are good. Complaints are of what was delivered. */
export function stopReason({
  sent,
  bounced,
  delivered,
  complained,
}: BroadcastOutcome): "bounces" | "complaints" | null {
  if (sent < judgedFrom) return null
  if (bounced / sent > bounceRateMax) return "bounces"
  return delivered > 0 && complained / delivered > complaintRateMax ? "complaints" : null
}
