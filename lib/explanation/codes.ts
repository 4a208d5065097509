/** The cause of a permanent refusal. `ours` never counts against the recipient: the sender has something to fix. */
export type BounceType = "hard" | "soft" | "block" | "content" | "ours"

/** Where in the SMTP dialogue an attempt ended. */
export type Phase = "connect" | "greeting" | "ehlo" | "starttls" | "auth" | "mail" | "rcpt" | "data" | "final"

type None = Record<string, never>

/** Why an email failed without a final refusal; each email that fails has one of these. */
type FailureFacts = {
  /** Its last attempt was deferred, and the next one would come after its deadline. */
  attempts: None
  /** Its deadline passed while it waited. */
  deadline: None
  domain_deleted: { domain?: string }
  schedule_domain_deleted: { domain?: string }
  /** The worker's process ended in so many claims in a row. */
  crashed: { claims: number }
  /** Composing or signing it failed; while it is tried again, an email waits with this code. */
  unprepared: None
  /** The daily limit left no room for so many hours after the scheduled time. */
  quota: { hours: number }
}

/** Why an email waits. */
type WaitFacts = {
  /** For the sending rate of its project. */
  rate_limit: { perSecond: number }
  /** For the daily limit, until an ISO 8601 time. */
  daily_limit: { daily: number; until: string }
  /** The relay of its region is unreachable; or the region, which sends directly, cannot send. */
  region_down: { direct?: boolean }
  /** The relay of its region refuses every email. */
  region_refusing: None
  /** The relay of its region refused a session, with this reply code if it replied. */
  region_fault: { phase?: Phase; code?: number }
  /** The next server deferred it, with this reply code if it replied. */
  deferred: { phase?: Phase; code?: number }
  /** The address that it leaves from has sent what its warm-up allows, until an ISO 8601 time. */
  warm_up: { address: string; until: string }
  /** The operator has paused the address that it leaves from. */
  egress_paused: None
  /** Its region sends directly, and what that needs has never been complete. */
  setup_incomplete: None
  /** The provider of its region takes nothing more now: its rate, its limit for a day, or errors of its own. */
  region_paced: { why: "rate" | "daily" | "errors" }
  /** The provider of its region has not verified the sending domain, or its domain for bounces. */
  domain_unverified: { domain: string }
  /**
   * Its destination, by the name of the provider or of its first mail server, takes nothing now, or only so many a minute.
   * Since and until when are ISO 8601 times.
   */
  destination: {
    name: string
    why: "away" | "slow" | "block" | "operator" | "warm_up"
    /** Of a block: the address of ours that is refused, where mail from others is taken. */
    address?: string
    /** Of a block that the operator can end, by what the servers said. */
    cause?: BlockCause
    since?: string
    until?: string
    perMinute?: number
    /** About how long it still waits. */
    minutes?: number
  }
  /** The next server did not confirm it, and it is sent again. */
  unconfirmed: None
}

/** Why servers refuse an address of ours: it has no reverse name that leads back, or its name at EHLO has no address. */
export const blockCauses = ["reverse_name", "ehlo_name"] as const
export type BlockCause = (typeof blockCauses)[number]

/** Why an email ended without a failure of ours. */
type EndFacts = {
  /** A server refused it for good. */
  bounced: { bounceType: BounceType; enhanced?: string; phase?: Phase; code?: number }
  suppressed: None
  topic_opt_out: { topic: string; byDefault: "opt_in" | "opt_out" }
  /** Who left the topic is no longer known, so its mail goes to nobody. */
  topic_deleted: None
  /** The server's reply was lost, and the project's policy is not to send it again. */
  indeterminate: None
}

/**
 * Every reason that is stored with an email or a delivery, by its code, with the facts that are stored beside it as JSON. To add
 * one, add it here: `words.ts` does not compile until it has its words.
 */
export type ReasonFacts = FailureFacts &
  WaitFacts &
  EndFacts & {
    /** The sentence that a release before the codes stored, where none of them is known to be meant. */
    recorded: { text: string }
  }

export type ReasonCode = keyof ReasonFacts
export type FailureCode = keyof FailureFacts

/** Waits that this installation decides on, before anything is sent. */
export type OwnWaitCode = "warm_up" | "egress_paused" | "setup_incomplete" | "region_paced"

export type Reason<C extends ReasonCode = ReasonCode> = { [K in C]: { code: K; facts: ReasonFacts[K] } }[C]

const isFailure: Record<ReasonCode, boolean> = {
  attempts: true,
  deadline: true,
  domain_deleted: true,
  schedule_domain_deleted: true,
  crashed: true,
  unprepared: true,
  quota: true,
  rate_limit: false,
  daily_limit: false,
  region_down: false,
  region_refusing: false,
  region_fault: false,
  deferred: false,
  warm_up: false,
  egress_paused: false,
  setup_incomplete: false,
  region_paced: false,
  domain_unverified: false,
  destination: false,
  unconfirmed: false,
  bounced: false,
  suppressed: false,
  topic_opt_out: false,
  topic_deleted: false,
  indeterminate: false,
  recorded: false,
}

export const failureCodes = (Object.keys(isFailure) as ReasonCode[]).filter(
  (code): code is FailureCode => isFailure[code],
)

/** The columns of a reason, as emails and deliveries have them. */
export type StoredReason = { reason: string | null; reasonFacts: unknown }

/** The reason in these columns; null for none, and for a code of the next release. */
export function reasonIn({ reason: code, reasonFacts }: StoredReason): Reason | null {
  // Whoever writes a code writes its facts.
  return code !== null && Object.hasOwn(isFailure, code) ? ({ code, facts: reasonFacts ?? {} } as Reason) : null
}

export function isFailureReason(reason: Reason | null): reason is Reason<FailureCode> {
  return reason !== null && isFailure[reason.code]
}

/** A reason as the data of its event holds it, in which all values are text. */
export function eventDataOf({ code, facts }: Reason<FailureCode | OwnWaitCode>): Record<string, string> {
  const texts = Object.entries(facts).map(([name, value]) => [name, String(value)])
  return { reasonCode: code, ...(Object.fromEntries(texts) as Record<string, string>) }
}
