import type { Claimed } from "@/lib/delivery/queue/claims/data"
import type { Message, Suppressed } from "@/lib/delivery/queue/claims/messages-sql"
import { askedSeconds } from "@/lib/delivery/direct/reply-signals"
import { countsAgainstRecipient, type Decision } from "@/lib/delivery/transports/classify"
import type { DeliveryAttempt, RegionPace } from "@/lib/delivery/transports/attempt"
import {
  delayedAfterSeconds,
  type EmailStatus,
  nextAttemptAt,
  secondsToLive,
  statusBetweenAttempts,
} from "@/lib/delivery/queue/rules"
import { isSimulated } from "@/lib/emails/simulator"
import { eventDataOf, type BounceType, type FailureCode, type OwnWaitCode, type Reason } from "@/lib/explanation/codes"
import type { Delivered } from "@/lib/regions/settings"

/** The outcome of one claim of a delivery, ready to be written. */
export type ClaimOutcome = {
  claimed: Claimed
  /** The delivery's status from now on. */
  status: EmailStatus
  /** Until the next claim; null if there is none. */
  dueInSeconds: number | null
  /** Nothing is due, and news of it is still to come: a report of its delivery. */
  isOpen: boolean
  /** The queue that it waits in from now on; absent if that stays. */
  queue?: number
  /** Counts for the retry schedule. */
  counts: boolean
  /** Claims in a row without an outcome, from now on; too many of them end the delivery. */
  unfinished: number
  attempts: AttemptRecord[]
  events: { type: EmailStatus; data: Record<string, string> }[]
  bounceType?: BounceType
  bounceCode?: string
  diagnostic?: string
  /** Why nothing was sent. */
  suppressedBy?: string
  /** Why the message was not accepted; null clears only the reason of an earlier wait. */
  reason: Reason | null
  suppress: boolean
  /** The only recipient of its message, whose status is then the message's. */
  alone: boolean
}

export type AttemptRecord = {
  number: number
  outcome: DeliveryAttempt["outcome"] | "lost"
  attempt?: DeliveryAttempt
  text?: string
}

export type ClaimFacts = { claimed: Claimed; message: Message; simulated: boolean }

/** The outcome of an attempt. `random` is a number from 0 up to 1. */
export function outcomeOfAttempt(
  facts: ClaimFacts,
  attempt: DeliveryAttempt,
  decision: Decision,
  { delivered, random }: { delivered: Delivered; random: number },
): ClaimOutcome {
  const attempts = [{ number: facts.claimed.attempt, outcome: attempt.outcome, attempt }]
  const { diagnostic, reason } = decision
  switch (decision.kind) {
    case "accepted": {
      const reached = delivered === "accept" ? (["sent", "delivered"] as const) : (["sent"] as const)
      // Kept with the event, because the setting of the region may change.
      const isReported = delivered === "events" || (delivered === "dsn" && attempt.reports === "asked")
      const isLast = delivered !== "accept" && !isReported
      const events = reached.map((type) => event(facts, type, isLast ? { deliveryReported: "false" } : {}))
      return {
        ...end(facts, reached.at(-1) ?? "sent", null),
        isOpen: isReported,
        attempts,
        events,
        counts: true,
      }
    }
    case "bounced": {
      const { bounceType, bounceCode, suppress } = decision
      const bounce = { bounceType, bounceCode, diagnostic }
      return {
        ...end(facts, "bounced", reason),
        ...bounce,
        attempts,
        events: [event(facts, "bounced", bounce)],
        counts: true,
        suppress: suppress && (!facts.simulated || facts.claimed.canonical.includes("+")),
      }
    }
    case "region_fault":
      return { ...regionWait(facts, reason), diagnostic, attempts: attempt.notSent ? [] : attempts }
    case "ambiguous":
      if (facts.message.ambiguousPolicy === "resend") return retry(facts, attempt, decision, random, attempts)
      return { ...indeterminate(facts, diagnostic), attempts, counts: true }
    case "retry":
      return retry(facts, attempt, decision, random, attempts)
  }
}

function retry(
  facts: ClaimFacts,
  attempt: DeliveryAttempt,
  decision: Decision,
  random: number,
  attempts: AttemptRecord[],
): ClaimOutcome {
  const { claimed, message } = facts
  const { diagnostic, reason } = decision
  const attemptCount = claimed.attemptCount + 1
  const now = new Date(claimed.claimedAt.getTime() + attempt.endedAt.getTime() - attempt.startedAt.getTime())
  const acceptedAt = new Date(claimed.claimedAt.getTime() - message.ageSeconds * 1000)
  const next = nextAttemptAt(attemptCount, acceptedAt, now, random, message.giveUpAfterSeconds)
  if (!next) {
    const givenUp: Reason<FailureCode> = { code: "attempts", facts: {} }
    const bounce = { ...(countsAgainstRecipient(attempt) ? { bounceType: "soft" as const } : {}), diagnostic }
    const failed = event(facts, "failed", { diagnostic, ...eventDataOf(givenUp) })
    return { ...end(facts, "failed", givenUp), ...bounce, attempts, events: [failed], counts: true }
  }
  // Once, and then until the end.
  const ageSeconds = (now.getTime() - acceptedAt.getTime()) / 1000
  const isLate = statusBetweenAttempts(ageSeconds) === "delivery_delayed"
  const status = isLate ? "delivery_delayed" : claimed.status
  const asked = Math.min(askedSecondsOf(attempt), secondsToLive(message.giveUpAfterSeconds) - ageSeconds)
  return {
    ...wait(facts, reason, Math.max((next.getTime() - now.getTime()) / 1000, asked)),
    status,
    diagnostic,
    attempts,
    events: status === claimed.status ? [] : [event(facts, status, { diagnostic })],
    counts: true,
  }
}

/** A server that greylists says when it will take the mail; until the last attempt, it is not asked before. */
function askedSecondsOf({ phase, text, code }: DeliveryAttempt): number {
  return phase === "rcpt" && code !== undefined ? (askedSeconds(text) ?? 0) : 0
}

/** The relay is unreachable: the email stays due, and no attempt is counted. It is claimed once the relay is back. */
export function regionWait(
  facts: ClaimFacts,
  reason: Reason | null = { code: "region_down", facts: {} },
): ClaimOutcome {
  return wait(facts, reason, 0)
}

/** Its destination takes nothing now, which is no fault of this email: it waits there, and no attempt is counted. */
export function destinationWait(
  facts: ClaimFacts,
  attempt: DeliveryAttempt,
  { reason, queue, waitSeconds }: { reason: Reason<"destination">; queue: number | null; waitSeconds: number },
): ClaimOutcome {
  const attempts = [{ number: facts.claimed.attempt, outcome: "deferred" as const, attempt }]
  const status = lateStatus(facts)
  return {
    ...wait(facts, reason, cappedWaitSeconds(facts, status, waitSeconds)),
    ...(queue !== null && { queue }),
    status,
    events: status === facts.claimed.status ? [] : [event(facts, status, { diagnostic: attempt.text })],
    // What was waiting beside the mail that found it out has the same to tell.
    ...(attempt.waits?.isCause && { diagnostic: attempt.text, attempts }),
  }
}

/** The relay refuses everybody, which is no fault of this email: it waits as for a relay that is unreachable. */
export function refusedWait(facts: ClaimFacts, attempt: DeliveryAttempt, { diagnostic }: Decision): ClaimOutcome {
  const attempts = [{ number: facts.claimed.attempt, outcome: attempt.outcome, attempt }]
  return { ...regionWait(facts, refusing), diagnostic, attempts }
}

const refusing: Reason = { code: "region_refusing", facts: {} }

/** Later by so much in all, the email that has waited for longest first. */
const spreadSeconds = 60
/** Between two questions whether a paused address sends again. */
const pausedSeconds = 15 * 60

/** Its source address has sent what its warm-up allows today: nothing was sent, and no attempt is counted. */
export function warmUpWait(
  facts: ClaimFacts,
  { source, until }: { source: { address: string }; until: Date },
  now: Date,
): ClaimOutcome {
  const { ageSeconds, giveUpAfterSeconds } = facts.message
  const spread = spreadSeconds * Math.max(0, 1 - ageSeconds / secondsToLive(giveUpAfterSeconds))
  const reason: Reason<"warm_up"> = {
    code: "warm_up",
    facts: { address: source.address, until: until.toISOString() },
  }
  return sourceWait(facts, reason, (until.getTime() - now.getTime()) / 1_000 + spread)
}

/** Its source address is paused by the operator. */
export function pausedWait(facts: ClaimFacts): ClaimOutcome {
  return sourceWait(facts, { code: "egress_paused", facts: {} }, pausedSeconds)
}

/** Between two questions whether the region has been turned on, which makes what waits for it due at once. */
const setupSeconds = 10 * 60

/** Its region sends to nobody but operators before its set-up is complete. */
export function setupWait(facts: ClaimFacts): ClaimOutcome {
  return sourceWait(facts, { code: "setup_incomplete", facts: {} }, setupSeconds)
}

/** The provider of its region takes nothing more now: no attempt is counted, and the one that found that out is recorded. */
export function pacedWait(
  facts: ClaimFacts,
  attempt: DeliveryAttempt,
  { why, seconds, isCause }: RegionPace,
): ClaimOutcome {
  const attempts = [{ number: facts.claimed.attempt, outcome: "deferred" as const, attempt }]
  return {
    ...sourceWait(facts, { code: "region_paced", facts: { why } }, seconds),
    ...(isCause && { diagnostic: attempt.text, attempts }),
  }
}

/** Its destination refuses its source address, and it may leave from no other one. */
export function blockedWait(facts: ClaimFacts, reason: Reason<"destination">, seconds: number): ClaimOutcome {
  return sourceWait(facts, reason, seconds)
}

/** Of an email that has waited for long, also for what charges it no attempt, the timeline says so once. */
function lateStatus({ claimed, message }: ClaimFacts): EmailStatus {
  return statusBetweenAttempts(message.ageSeconds) === "delivery_delayed" ? "delivery_delayed" : claimed.status
}

/** At most until its delay is to be noted, or until its deadline: it is claimed again then. */
function cappedWaitSeconds({ message }: ClaimFacts, status: EmailStatus, seconds: number): number {
  const { ageSeconds, giveUpAfterSeconds } = message
  const untilNoted = status === "delivery_delayed" ? Infinity : delayedAfterSeconds - ageSeconds
  const untilDeadline = secondsToLive(giveUpAfterSeconds) - ageSeconds + 1
  return Math.max(0, Math.min(seconds, untilNoted, untilDeadline))
}

function sourceWait(facts: ClaimFacts, reason: Reason<OwnWaitCode | "destination">, seconds: number): ClaimOutcome {
  const { claimed } = facts
  const status = lateStatus(facts)
  return {
    ...wait(facts, reason, cappedWaitSeconds(facts, status, seconds)),
    status,
    events:
      status === claimed.status
        ? []
        : [event(facts, status, reason.code === "destination" ? {} : eventDataOf(reason as Reason<OwnWaitCode>))],
  }
}

/** A bounce that turned out to be the relay's fault: the email waits again, and its timeline says so. */
export function takenBack(facts: Pick<ClaimFacts, "claimed"> & { subject: string }, diagnostic: string): ClaimOutcome {
  const message = { subject: facts.subject, recipients: 0 } as Message
  const known = { ...facts, message, simulated: false }
  return {
    ...wait(known, refusing, 0),
    status: "delivery_delayed",
    diagnostic,
    events: [event(known, "delivery_delayed", { diagnostic, reason: "bounce_taken_back" })],
  }
}

/** It has waited for long: its timeline says so, and what the last server replied. */
export function delayed(
  facts: Pick<ClaimFacts, "claimed"> & { subject: string },
  diagnostic: string,
  reason: Reason | null,
): ClaimOutcome {
  const message = { subject: facts.subject, recipients: 0 } as Message
  const known = { ...facts, message, simulated: isSimulated(facts.claimed.canonical) }
  return {
    ...wait(known, reason, 0),
    status: "delivery_delayed",
    events: [event(known, "delivery_delayed", { diagnostic })],
  }
}

export function suppressed(facts: ClaimFacts, { by, reason }: Suppressed): ClaimOutcome {
  return {
    ...end(facts, "suppressed", reason),
    suppressedBy: by,
    events: [event(facts, "suppressed", { reason: by })],
  }
}

/** A test message is composed and signed, but not sent. */
export function tested(facts: ClaimFacts): ClaimOutcome {
  return { ...end(facts, "test", null), events: [event(facts, "test")] }
}

export function failed(facts: ClaimFacts, reason: Reason<FailureCode>): ClaimOutcome {
  return { ...end(facts, "failed", reason), events: [event(facts, "failed", eventDataOf(reason))] }
}

/** It is unknown whether the next hop has the message, and the project's policy is not to risk sending it twice. */
export function indeterminate(facts: ClaimFacts, diagnostic: string): ClaimOutcome {
  return {
    ...end(facts, "indeterminate", { code: "indeterminate", facts: {} }),
    diagnostic,
    events: [event(facts, "indeterminate", { diagnostic })],
  }
}

/** We stopped, or had no database, before the message was sent: as if it had not been claimed. */
export function released(facts: ClaimFacts, waitSeconds: number): ClaimOutcome {
  return { ...wait(facts, null, waitSeconds), unfinished: facts.claimed.unfinished - 1 }
}

/** Our own work on the message failed: it is retried a few times. */
export function broken(facts: ClaimFacts, reason: Reason<FailureCode>): ClaimOutcome {
  return { ...wait(facts, reason, 30 * facts.claimed.unfinished), unfinished: facts.claimed.unfinished }
}

function end(facts: ClaimFacts, status: EmailStatus, reason: Reason | null): ClaimOutcome {
  return { ...wait(facts, reason, 0), status, dueInSeconds: null }
}

function wait({ claimed, message }: ClaimFacts, reason: Reason | null, dueInSeconds: number): ClaimOutcome {
  return {
    claimed,
    status: claimed.status,
    dueInSeconds,
    isOpen: false,
    counts: false,
    unfinished: 0,
    attempts: [],
    events: [],
    reason,
    suppress: false,
    alone: message.recipients === 1,
  }
}

/** The data of a delivery's event: text values only. */
function event(facts: ClaimFacts, type: EmailStatus, details: Record<string, string | undefined> = {}) {
  const all = {
    to: facts.claimed.address,
    subject: facts.message.subject,
    ...details,
    simulator: facts.simulated ? "true" : undefined,
  }
  const data = Object.fromEntries(Object.entries(all).filter((entry): entry is [string, string] => Boolean(entry[1])))
  return { type, data }
}
