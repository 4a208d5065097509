import {
  type AttemptClass,
  type AttemptPhase,
  recipientDomain,
  type Facts,
  type ReplyKind,
} from "@/lib/explanation/facts"

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
