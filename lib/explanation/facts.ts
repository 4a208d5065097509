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
export type SuppressedBy = SuppressionReason | "topic_opt_out" | "topic_deleted" | "simulator" | "unknown"

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

type Clause = (facts: Facts) => string

/** What went wrong in the last attempt, as a clause in the past tense. */
export function whatWentWrong(facts: Facts): string {
  const ofClass = clauses[facts.attemptClass]
  return typeof ofClass === "function" ? ofClass(facts) : ofClass[facts.phase](facts)
}

/** A temporary reply while the message was handed over, or none at all. */
const duringTransaction: Record<ReplyKind, Clause> = {
  none: ({ server }) => `the connection to ${server} ended before the message was accepted`,
  temporary: ({ server }) => `${server} asked us to try again later`,
  permanent: ({ server }) => `${server} refused it for now`,
  unexpected: ({ server }) => `${server} gave an unexpected reply`,
}

const byReply: Clause = (facts) => duringTransaction[facts.reply](facts)
const relayWantsSignIn: Clause = () => "the relay of this region wanted us to sign in or to encrypt first"

const clauses: Record<AttemptClass, Clause | Record<AttemptPhase, Clause>> = {
  none: () => "no attempt could be made",
  accepted: ({ server }) => `${server} accepted it and nothing further was reported`,
  hard: (facts) =>
    isWithoutMail(facts) ? `the domain ${recipientDomain(facts)} receives no email` : "the mailbox does not exist",
  soft: (facts) => `the server of ${recipientDomain(facts)} refused it for a reason that may pass`,
  block: (facts) => `the server of ${recipientDomain(facts)} refused it by its policy`,
  content: (facts) => `the server of ${recipientDomain(facts)} refused its content or size`,
  ours: (facts) => `the server of ${recipientDomain(facts)} refused us as the sender`,
  deferred: {
    none: byReply,
    connect: ({ server }) => `${server} could not be reached`,
    greeting: ({ server }) => `${server} did not take a session from us`,
    ehlo: ({ server }) => `${server} did not open a session with us`,
    starttls: ({ server }) => `the connection to ${server} could not be encrypted`,
    auth: ({ server }) => `${server} did not let us sign in`,
    mail: byReply,
    rcpt: byReply,
    data: byReply,
    final: byReply,
  },
  region_fault: {
    none: () => "the provider of this region did not accept our credentials",
    connect: ({ direct }) =>
      direct
        ? "this installation could not send to recipients' servers"
        : "the relay of this region could not be reached",
    greeting: () => "the relay of this region accepted no email from us",
    ehlo: () => "the relay of this region refused our session",
    starttls: () => "the relay of this region offered no usable encryption",
    auth: () => "the relay of this region did not let us sign in",
    mail: relayWantsSignIn,
    rcpt: relayWantsSignIn,
    data: relayWantsSignIn,
    final: relayWantsSignIn,
  },
  ambiguous: ({ server }) => `the connection to ${server} ended before it confirmed the message`,
  lost: () => "the worker stopped before it could record the result",
}

/** No mail route of the recipient's domain. */
export function isWithoutMail({ bounceCode }: Facts): boolean {
  return /^5\.(1\.2|4\.4)$/.test(bounceCode)
}
