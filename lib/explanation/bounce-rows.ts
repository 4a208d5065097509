import { isWithoutMail } from "@/lib/explanation/clauses"
import {
  type ByClass,
  type ByPhase,
  domainOf,
  type Explained,
  type ExplainedBy,
  type Facts,
  type Via,
} from "@/lib/explanation/facts"

const bounce = (cause: string, fix: string, page?: Explained["page"]): Explained => ({
  severity: "critical",
  cause,
  fix,
  ...(page && { page }),
})

const serverOf = (facts: Facts) => `The server of ${domainOf(facts)}`

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
      ? `The domain ${domainOf(facts)} receives no email.`
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
export const bounced: ByClass = {
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
