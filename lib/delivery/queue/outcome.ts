import type { Claimed } from "@/lib/delivery/queue/claim-sql"
import type { BounceType, Decision } from "@/lib/delivery/transports/classify"
import type { DeliveryAttempt } from "@/lib/delivery/transports/attempt"
import type { Message } from "@/lib/delivery/queue/message-sql"
import { nextAttemptAt } from "@/lib/delivery/queue/retry"
import { delayedAfterTries, statusBetweenTries, type EmailStatus } from "@/lib/delivery/queue/rules"
import type { Suppressed } from "@/lib/delivery/queue/suppressed-sql"
import type { Delivered } from "@/lib/platform/env/env"

/** What one claim of a delivery came to, ready to be written down. */
export type Outcome = {
  claimed: Claimed
  /** The delivery's status from now on. */
  status: EmailStatus
  /** Until the next claim; null if nothing is to come. */
  dueInSeconds: number | null
  /** Counts for the retry schedule. */
  counts: boolean
  /** Claims in a row without an answer of the world, from now on: so many end the delivery. */
  unfinished: number
  attempts: AttemptRecord[]
  events: { type: EmailStatus; data: Record<string, string> }[]
  bounceType?: BounceType
  bounceCode?: string
  diagnostic?: string
  /** Why nothing was sent. */
  suppressedBy?: string
  /** For people; null clears nothing but a past wait. */
  error: string | null
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

export type Facts = { claimed: Claimed; message: Message; simulated: boolean }

/** The outcome of a hand-off that took place. `random` is a number from 0 up to 1. */
export function outcomeOfAttempt(
  facts: Facts,
  attempt: DeliveryAttempt,
  decision: Decision,
  { delivered, random }: { delivered: Delivered; random: number },
): Outcome {
  const attempts = [{ number: facts.claimed.attempt, outcome: attempt.outcome, attempt }]
  const { diagnostic, sentence } = decision
  switch (decision.kind) {
    case "accepted": {
      const reached = delivered === "accept" ? (["sent", "delivered"] as const) : (["sent"] as const)
      const { data } = event(facts, "sent")
      const events = reached.map((type) => ({ type, data }))
      return { ...end(facts, reached.at(-1) ?? "sent", null), attempts, events, counts: true }
    }
    case "bounced": {
      const { bounceType, bounceCode, suppress } = decision
      const said = { bounceType, bounceCode, diagnostic }
      return {
        ...end(facts, "bounced", sentence),
        ...said,
        attempts,
        events: [event(facts, "bounced", said)],
        counts: true,
        suppress: suppress && (!facts.simulated || facts.claimed.canonical.includes("+")),
      }
    }
    case "region_fault":
      return { ...regionWait(facts, sentence), diagnostic, attempts: attempt.untried ? [] : attempts }
    case "ambiguous":
      if (facts.message.ambiguousPolicy === "resend") return retry(facts, attempt, decision, random, attempts)
      return { ...indeterminate(facts, diagnostic), attempts, counts: true }
    case "retry":
      return retry(facts, attempt, decision, random, attempts)
  }
}

function retry(
  facts: Facts,
  attempt: DeliveryAttempt,
  decision: Decision,
  random: number,
  attempts: AttemptRecord[],
): Outcome {
  const { claimed, message } = facts
  const { diagnostic, sentence } = decision
  const tries = claimed.tries + 1
  const now = new Date(claimed.claimedAt.getTime() + attempt.endedAt.getTime() - attempt.startedAt.getTime())
  const acceptedAt = new Date(claimed.claimedAt.getTime() - message.ageSeconds * 1000)
  const next = nextAttemptAt(tries, acceptedAt, now, random, message.giveUpAfterSeconds)
  if (!next) {
    const reason = "The message could not be handed over in the time that it had, so it was given up."
    // A server that kept saying no speaks of its recipient; a relay that is away does not.
    const soft = attempt.code !== undefined && ["rcpt", "data", "final"].includes(attempt.phase ?? "final")
    const said = { ...(soft ? { bounceType: "soft" as const } : {}), diagnostic }
    const failed = event(facts, "failed", { diagnostic, reason })
    return { ...end(facts, "failed", reason), ...said, attempts, events: [failed], counts: true }
  }
  return {
    ...wait(facts, sentence, (next.getTime() - now.getTime()) / 1000),
    status: statusBetweenTries(tries),
    diagnostic,
    attempts,
    events: tries === delayedAfterTries ? [event(facts, "delivery_delayed", { diagnostic })] : [],
    counts: true,
  }
}

/** The relay is unreachable: the email stays due, and no try is counted. It is claimed once the relay is back. */
export function regionWait(facts: Facts, sentence = unreachable): Outcome {
  return wait(facts, sentence, 0)
}

const unreachable = "The relay of this region cannot be reached. The email leaves when the relay is back."

export function suppressed(facts: Facts, { by, sentence }: Suppressed): Outcome {
  return {
    ...end(facts, "suppressed", sentence),
    suppressedBy: by,
    events: [event(facts, "suppressed", { reason: by })],
  }
}

/** A test message was composed and signed, and goes no further. */
export function tested(facts: Facts): Outcome {
  return { ...end(facts, "test", null), events: [event(facts, "test")] }
}

export function failed(facts: Facts, reason: string): Outcome {
  return { ...end(facts, "failed", reason), diagnostic: reason, events: [event(facts, "failed", { reason })] }
}

/** Nobody knows whether the other side has the message, and the project would rather not send it twice. */
export function indeterminate(facts: Facts, diagnostic: string): Outcome {
  const sentence = "The message was handed over, but no answer came; by this project's policy it is not sent again."
  return {
    ...end(facts, "indeterminate", sentence),
    diagnostic,
    events: [event(facts, "indeterminate", { diagnostic })],
  }
}

/** We stopped, or had no database, before the message was handed over: as if it had not been claimed. */
export function released(facts: Facts, waitSeconds: number): Outcome {
  return { ...wait(facts, null, waitSeconds), unfinished: facts.claimed.unfinished - 1 }
}

/** Our own work on the message broke: it may work later, but not for ever. */
export function broken(facts: Facts, reason: string): Outcome {
  return {
    ...wait(facts, reason, 30 * facts.claimed.unfinished),
    diagnostic: reason,
    unfinished: facts.claimed.unfinished,
  }
}

const unstorable = "What the server said could not be stored."

/** The same outcome without a word from outside, for a database that refused it: what happened counts, not its texts. */
export function withoutTexts(outcome: Outcome): Outcome {
  const attempts = outcome.attempts.map((record) =>
    record.attempt ? { ...record, attempt: { ...record.attempt, text: unstorable, conversation: [] } } : record,
  )
  const events = outcome.events.map(({ type, data }) => ({
    type,
    data: data.diagnostic === undefined ? data : { ...data, diagnostic: unstorable },
  }))
  return { ...outcome, attempts, events, ...(outcome.diagnostic === undefined ? {} : { diagnostic: unstorable }) }
}

function end(facts: Facts, status: EmailStatus, error: string | null): Outcome {
  return { ...wait(facts, error, 0), status, dueInSeconds: null }
}

function wait({ claimed, message }: Facts, error: string | null, dueInSeconds: number): Outcome {
  return {
    claimed,
    status: claimed.status,
    dueInSeconds,
    counts: false,
    unfinished: 0,
    attempts: [],
    events: [],
    error,
    suppress: false,
    alone: message.recipients === 1,
  }
}

/** What goes with every event of a delivery is flat text. */
function event(facts: Facts, type: EmailStatus, said: Record<string, string | undefined> = {}) {
  const all = {
    to: facts.claimed.address,
    subject: facts.message.subject,
    ...said,
    simulator: facts.simulated ? "true" : undefined,
  }
  const data = Object.fromEntries(Object.entries(all).filter((entry): entry is [string, string] => Boolean(entry[1])))
  return { type, data }
}
