import type { SuppressionReason } from "@/lib/consent/rules"
import type { Outcome } from "@/lib/delivery/transports/attempt"
import type { EmailStatus } from "@/lib/emails/message-rules"
import type { BounceType, FailureCode, Phase, Reason } from "@/lib/explanation/codes"

/** What became of the last attempt: of a refusal its bounce type. */
export type AttemptClass = BounceType | Exclude<Outcome, "refused"> | "lost" | "none"

/** Where in the SMTP session the last attempt ended. */
export type AttemptPhase = Phase | "none"

/** Where the message of a recipient goes: the simulator and the sandbox are on this machine. */
export type Via = "relay" | "sandbox" | "simulator"

/** Why nothing is sent to a recipient; `unknown` for email from before the reason was stored. */
export type SuppressedBy = SuppressionReason | "topic_opt_out" | "simulator" | "unknown"

/** What an email that has not been attempted waits for. */
export type Wait =
  | "time"
  | "quota"
  | "rate"
  | "turn"
  | "region"
  | "refusing"
  | "source"
  | "unverified"
  | "destination"
  | "suspended"
  | "recorded"
  | "none"

/** What the server answered in the last attempt. */
export type ReplyKind = "none" | "temporary" | "permanent" | "unexpected"

/** What is known of one recipient: the table decides by it, and writes names and numbers from it. */
export type Facts = {
  status: EmailStatus
  attemptClass: AttemptClass
  phase: AttemptPhase
  reply: ReplyKind
  via: Via
  wait: Wait
  suppressedBy: SuppressedBy
  /** Why it failed; `recorded` if only the sentence of an earlier release tells. */
  failure: FailureCode | "recorded"
  /** The reason that is stored with the recipient, or else with the email. */
  reason: Reason | null
  address: string
  region: string
  /** The region sends to recipients' servers itself. */
  direct: boolean
  /** The host of the last attempt. */
  server: string
  attempts: number
  bounceCode: string
  /** Of the topic that the recipient is out of; empty if it is not known. */
  topic: string
  /** Messages per second of the project. */
  rate: number
  scheduledAt: Date | null
  /** Hours after acceptance at which a message is given up. */
  deadlineHours: number
}

export const severities = ["none", "info", "warning", "critical"] as const

/** The dashboard pages on which it can be fixed. */
export const pages = ["domains", "suppressions", "topics", "settings", "sandbox"] as const

/** One sentence of cause and one of what to do. */
export type Explained = {
  severity: (typeof severities)[number]
  cause: string
  fix: string
  page?: (typeof pages)[number]
}

export type ExplainedBy = (facts: Facts) => Explained

/** A row for each phase, or for each class: a new phase or class does not compile until it is written. */
export type ByPhase = Record<AttemptPhase, ExplainedBy>
export type ByClass = Record<AttemptClass, ExplainedBy | ByPhase>

export function recipientDomain({ address }: Facts): string {
  return address.slice(address.lastIndexOf("@") + 1)
}
