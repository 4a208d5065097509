import type { EmailStatus } from "@/lib/emails/message-rules"
import {
  isWithoutMail,
  whatWentWrong,
  type ByClass,
  type ByPhase,
  recipientDomain,
  type Explained,
  type ExplainedBy,
  type Facts,
  type SuppressedBy,
  type Via,
} from "@/lib/explanation/facts"
import { notAttempted, waitingClauses } from "@/lib/explanation/waiting-rows"
import { reasonSentence } from "@/lib/explanation/words"

// Refused and returned

const bounce = (cause: string, fix: string, page?: Explained["page"]): Explained => ({
  severity: "critical",
  cause,
  fix,
  ...(page && { page }),
})

const serverOf = (facts: Facts) => `The server of ${recipientDomain(facts)}`

const hardFix: Record<Via, (facts: Facts) => string> = {
  relay: () => "The address is on the suppression list now; ask the recipient for their current address.",
  sandbox: () => "The address is on the suppression list now; remove it there if the sandbox refused it by mistake.",
  simulator: ({ address }) =>
    address.includes("+")
      ? "The labelled address is on the suppression list now; remove it there to use it again."
      : "Nothing to do: the simulator refuses this address on purpose and it is not suppressed.",
}

const hard: ExplainedBy = (facts) =>
  bounce(
    isWithoutMail(facts)
      ? `The domain ${recipientDomain(facts)} receives no email.`
      : `The mailbox ${facts.address} does not exist.`,
    hardFix[facts.via](facts),
    facts.via === "simulator" && !facts.address.includes("+") ? undefined : "suppressions",
  )

const soft: ExplainedBy = (facts) =>
  bounce(
    /^5\.2\.2$/.test(facts.bounceCode)
      ? `The mailbox ${facts.address} is full.`
      : `${serverOf(facts)} refused the message for ${facts.address} for a reason that may pass.`,
    "Send it again later; the address is not suppressed.",
  )

const blockFix = "Read what the server's reply asks for before you send more there; the address is not suppressed."
const block =
  (what: string): ExplainedBy =>
  (facts) =>
    bounce(`${serverOf(facts)} refused ${what} by its policy.`, blockFix)
const blockedSession = block("our connection")
const blockedMessage = block("the message")

const blocked: ByPhase = {
  none: blockedMessage,
  connect: blockedSession,
  greeting: blockedSession,
  ehlo: blockedSession,
  starttls: blockedSession,
  auth: blockedSession,
  mail: block("our sender address"),
  rcpt: (facts) => block(`mail for ${facts.address}`)(facts),
  data: blockedMessage,
  final: blockedMessage,
}

const content: ExplainedBy = (facts) =>
  bounce(
    `${serverOf(facts)} refused the content or size of the message.`,
    "Change the message and send it again; the address is not suppressed.",
  )

const ours: ExplainedBy = (facts) =>
  bounce(
    `${serverOf(facts)} refused us as the sender.`,
    "Check the DNS records of your sending domain and send it again; the recipient has nothing to fix.",
    "domains",
  )

const unclear: ExplainedBy = (facts) =>
  bounce(
    `${serverOf(facts)} refused the message for ${facts.address}.`,
    "Read the server's reply, and send the message again once its reason is gone.",
  )

/** A permanent refusal. A report that arrives later bounces a message whose last attempt was accepted. */
const bounced: ByClass = {
  none: unclear,
  accepted: (facts) =>
    bounce(
      `The message for ${facts.address} was accepted and returned later.`,
      "Read the report of the server, and ask the recipient for an address that works.",
    ),
  hard,
  soft,
  block: blocked,
  content,
  ours,
  deferred: unclear,
  region_fault: unclear,
  ambiguous: unclear,
  lost: unclear,
}

// Everything else

const fine = (cause: string, fix = "Nothing to do.", page?: Explained["page"]): Explained => ({
  severity: "none",
  cause,
  fix,
  ...(page && { page }),
})

const taken: Record<Via, ExplainedBy> = {
  relay: (facts) => fine(`The mail server of ${recipientDomain(facts)} took the message for ${facts.address}.`),
  sandbox: (facts) =>
    fine(
      `The sandbox on this machine captured the message for ${facts.address}.`,
      "Read it in the sandbox mailbox; configure a relay to send email to real recipients.",
      "sandbox",
    ),
  simulator: (facts) => fine(`The simulator took the message for ${facts.address}, behind which nobody reads.`),
}

const relayed: Record<Via, ExplainedBy> = {
  ...taken,
  relay: (facts) =>
    fine(
      `The message for ${facts.address} was accepted by ${facts.server}, which takes it further.`,
      "Nothing to do; if a server refuses it later, the bounce comes back by mail.",
    ),
}

const left =
  (cause: (facts: Facts) => string, fix: string, page?: Explained["page"]): ExplainedBy =>
  (facts) => ({ severity: "info", cause: cause(facts), fix, ...(page && { page }) })

const listed =
  (why: string) =>
  ({ address }: Facts) =>
    `Nothing was sent to ${address} because ${why}.`

const suppressed: Record<SuppressedBy, ExplainedBy> = {
  bounce: left(
    listed("an earlier email to it bounced"),
    "Ask the recipient for an address that works, or remove this one from the suppression list.",
    "suppressions",
  ),
  complaint: left(
    listed("its owner marked an earlier email as spam"),
    "Write only to people who asked for it; remove the address from the suppression list if they ask you to.",
    "suppressions",
  ),
  unsubscribe: left(
    listed("its owner unsubscribed"),
    "Nothing to do; remove the address from the suppression list only if they ask for email again.",
    "suppressions",
  ),
  manual: left(
    listed("somebody of this project put it on the suppression list"),
    "Remove the address from the suppression list to send to it again.",
    "suppressions",
  ),
  topic_opt_out: left(
    ({ address, topic }) =>
      `Nothing was sent to ${address}, which is not subscribed to the topic${topic && ` ${topic}`}.`,
    "The recipient can join the topic by its preferences; email without this topic still arrives.",
    "topics",
  ),
  topic_deleted: left(
    listed("the topic of the email was deleted before it was sent"),
    "Send it again with another topic, or without one.",
  ),
  simulator: left(
    listed("the simulator treats it as suppressed"),
    "Nothing to do: this address of the simulator is answered this way on purpose.",
  ),
  unknown: left(
    listed("it is on the suppression list"),
    "Look it up on the suppression list, and remove it there to send to it again.",
    "suppressions",
  ),
}

const critical = (cause: string, fix: string, page?: Explained["page"]): Explained => ({
  severity: "critical",
  cause,
  fix,
  ...(page && { page }),
})

/** The cause of a failure is the sentence of its reason, as everywhere. */
const failure =
  (fix: string | ((facts: Facts) => string), page?: Explained["page"]): ExplainedBy =>
  (facts) =>
    critical(
      facts.reason ? reasonSentence(facts.reason) : "The email could not be sent.",
      typeof fix === "string" ? fix : fix(facts),
      page,
    )

const addDomain = failure(({ reason }) => {
  const { domain = "" } =
    reason?.code === "domain_deleted" || reason?.code === "schedule_domain_deleted" ? reason.facts : {}
  return `Add the domain${domain && ` ${domain}`} again and send the email again.`
}, "domains")

const failed: Record<Facts["failure"], ExplainedBy> = {
  attempts: (facts) =>
    critical(
      // Attempts are stored for less long than emails: then only their number is known.
      facts.attemptClass === "none" && facts.attempts > 0
        ? `We gave up on ${facts.address} after ${attemptsOf(facts)}.`
        : `We gave up on ${facts.address} after ${attemptsOf(facts)} because ${whatWentWrong(facts)}.`,
      "Send it again once the reason is gone; the address is not suppressed.",
    ),
  deadline: failure("Send it again, with a longer deadline."),
  domain_deleted: addDomain,
  schedule_domain_deleted: addDomain,
  crashed: failure("Send it again without large attachments, and give the operator the id of this email."),
  unprepared: failure("Send it again, and give the operator the id of this email if that fails as well."),
  quota: failure("Raise the daily limit in the settings and send the email again.", "settings"),
  recorded: failure("Send it again once the reason is gone."),
}

function attemptsOf({ attempts }: Facts): string {
  return attempts === 1 ? "one attempt" : `${attempts} attempts`
}

const complaint =
  (fix: string, page?: Explained["page"]): ExplainedBy =>
  (facts) =>
    critical(`${facts.address} marked this email as spam.`, fix, page)

const complaintFix = "Write only to people who asked for it; the address is on the suppression list now."

const complained: Record<Via, ExplainedBy> = {
  relay: complaint(complaintFix, "suppressions"),
  sandbox: complaint(complaintFix, "suppressions"),
  simulator: complaint("Nothing to do: the simulator complains on purpose."),
}

const by =
  <K extends "via" | "failure" | "suppressedBy">(field: K, rows: Record<Facts[K], ExplainedBy>): ExplainedBy =>
  (facts) =>
    rows[facts[field]](facts)

/**
 * Why an email is where it is and what to do, for every status, class of the last attempt and phase of the SMTP session.
 * There is no row for "the rest": a new status, class, phase, failure or reason does not compile until it has its own.
 */
export const table: Record<EmailStatus, ExplainedBy | ByClass> = {
  scheduled: notAttempted,
  queued: waitingClauses,
  sending: waitingClauses,
  delivery_delayed: waitingClauses,
  sent: by("via", relayed),
  delivered: by("via", taken),
  opened: (facts) => fine(`${facts.address} received and opened the email.`),
  clicked: (facts) => fine(`${facts.address} received the email and followed a link in it.`),
  complained: by("via", complained),
  bounced,
  failed: by("failure", failed),
  rejected: ({ reason }) =>
    critical(
      reason ? reasonSentence(reason) : "The email broke a rule of this service.",
      "Correct the request and send it again.",
    ),
  suppressed: by("suppressedBy", suppressed),
  cancelled: left(
    () => "The email was cancelled before it was sent.",
    "Nothing to do; send it again if it is wanted after all.",
  ),
  test: left(() => "This was a test: everything ran except delivery.", "Send it without testMode to deliver it."),
  indeterminate: (facts) => ({
    severity: "warning",
    cause: `It is not known whether ${facts.address} got this email because the server's reply was lost.`,
    fix: "Ask the recipient before you send it again; this project does not risk sending an email twice.",
  }),
}

export function explained(facts: Facts): Explained {
  const ofStatus = table[facts.status]
  if (typeof ofStatus === "function") return ofStatus(facts)
  const ofClass = ofStatus[facts.attemptClass]
  return typeof ofClass === "function" ? ofClass(facts) : ofClass[facts.phase](facts)
}
