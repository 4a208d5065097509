import { beforeMail, type DeliveryAttempt } from "@/lib/delivery/transports/attempt"
import { isClosed, isFull, subjectOf, subjectWithCode, type Subject } from "@/lib/delivery/transports/refusal-words"
import type { BounceType, Reason } from "@/lib/explanation/codes"

export type Decision = {
  kind: "accepted" | "bounced" | "retry" | "region_fault" | "ambiguous"
  bounceType?: BounceType
  /** Enhanced status code, or the reply code where there is none. */
  bounceCode?: string
  /** Put the recipient on the suppression list now. */
  suppress: boolean
  /** The server's reply with its code, or our own error text. */
  diagnostic: string
  /** Why the message was not accepted. */
  reason: Reason | null
}

/** The result of our own lookup of the recipient's domain: `none` is NXDOMAIN or a null MX (RFC 7505). */
export type MailRoute = "exists" | "none" | "unknown"

/** This number of soft bounces in this number of days, without a delivery in between, suppresses a recipient. */
export const softBouncesMax = 3
export const softBounceDays = 30

/** The decision that follows from an attempt: a pure function that never suppresses in doubt. */
export function classify(attempt: DeliveryAttempt, route: MailRoute = "unknown"): Decision {
  const diagnostic = diagnosticOf(attempt)
  const plain = { suppress: false, diagnostic }
  const { phase, code, enhanced } = attempt
  const where = { ...(phase && { phase }), ...(code !== undefined && { code }) }
  switch (attempt.outcome) {
    case "accepted":
      return { ...plain, kind: "accepted", reason: null }
    case "deferred":
      return {
        ...plain,
        kind: "retry",
        reason:
          attempt.unverified === undefined
            ? { code: "deferred", facts: where }
            : { code: "domain_unverified", facts: { domain: attempt.unverified } },
      }
    case "region_fault":
      return { ...plain, kind: "region_fault", reason: { code: "region_fault", facts: where } }
    case "ambiguous":
      return { ...plain, kind: "ambiguous", reason: { code: "unconfirmed", facts: {} } }
    case "refused": {
      const bounceType = bounceTypeOf(attempt, route)
      const bounceCode = attempt.enhanced ?? String(attempt.code ?? "")
      const suppress = bounceType === "hard"
      return {
        kind: "bounced",
        bounceType,
        bounceCode,
        suppress,
        diagnostic,
        reason: { code: "bounced", facts: { bounceType, ...(enhanced && { enhanced }), ...where } },
      }
    }
  }
}

type Refusal = Pick<DeliveryAttempt, "enhanced" | "text" | "phase"> &
  Partial<Pick<DeliveryAttempt, "code" | "conversation">>

/**
 * The type of a bounce by its codes and text; also usable for the status fields of a delivery report (RFC 3464). A refusal
 * is hard only if it is about the recipient's mailbox; what is about us never counts against a recipient, also not as one of
 * the soft bounces that suppress.
 */
export function bounceTypeOf(refusal: Refusal, route: MailRoute): BounceType {
  const { enhanced = "", text, phase, code = 0 } = refusal
  if (oursCodes.test(enhanced)) return "ours"
  const ours = ownAddresses(refusal)
  const subject = subjectOf(text, ours)
  // Before RCPT the server has not heard of the recipient.
  if (phase === "mail") return contentCodes.test(enhanced) ? "content" : subject === "us" ? "block" : "ours"
  if (subject === "sender") return "ours"
  if (hardCodes.test(enhanced)) return subjectWithCode(text, ours) === "mailbox" ? "hard" : "block"
  if (isFull(text) || (enhanced === "5.2.1" && subject !== "us" && busy.test(text))) return "soft"
  if (contentCodes.test(enhanced)) return "content"
  if (subject === "us") return "block"
  if (noRouteCodes.test(enhanced)) return route === "none" ? "hard" : "soft"
  if (namesRecipient(enhanced, subject, text)) return "hard"
  if (enhanced.startsWith("5.7.")) return "block"
  return code >= 500 && code <= 504 && commandCodes.test(enhanced) ? "ours" : "soft"
}

/**
 * Whether a delivery that is given up after temporary replies counts against its recipient as a soft bounce: not if the
 * last reply is about us. A server that still greylists after three days takes no mail for the address.
 */
export function countsAgainstRecipient(attempt: DeliveryAttempt): boolean {
  const { text, code = 0, phase = "final" } = attempt
  if (code < 400 || !["rcpt", "data", "final"].includes(phase)) return false
  const subject = subjectOf(text.replace(/\bgr[ea]y ?list\w*/gi, ""), ownAddresses(attempt))
  return isFull(text) || subject === "mailbox" || subject === "unclear"
}

/**
 * Whether a server put the mail off for what it thinks of us: a temporary refusal of a recipient is greylisting at the first attempt,
 * and where it says so.
 */
export function isDeferral({ outcome, phase, code = 0, text }: DeliveryAttempt, attemptsBefore: number): boolean {
  if (outcome !== "deferred" || code < 400 || !phase || beforeMail.has(phase)) return false
  return phase !== "rcpt" || (attemptsBefore > 0 && !/gr[ea]y ?-?list/i.test(text))
}

function namesRecipient(enhanced: string, subject: Subject, text: string): boolean {
  if (enhanced === "5.2.1" && isClosed(text)) return true
  if (enhanced === "5.4.1" && microsoftDenies.test(text)) return true
  return subject === "mailbox" && wordyCodes.test(enhanced)
}

/** The return path of the attempt, whose domain is ours as well; not if the recipient has that domain. */
function ownAddresses({ conversation = [] }: Refusal): string[] {
  const from = envelopeAddress(conversation, "MAIL FROM")
  const to = envelopeAddress(conversation, "RCPT TO")
  const domain = from?.slice(from.lastIndexOf("@"))
  return !from || !domain || to?.toLowerCase().endsWith(domain.toLowerCase()) ? [] : [from, domain]
}

function envelopeAddress(conversation: readonly string[], verb: string): string | undefined {
  const start = `C: ${verb}:<`
  const line = conversation.findLast((one) => one.startsWith(start))
  return line?.slice(start.length).split(">", 1)[0]
}

/** The address itself is wrong. */
const hardCodes = /^5\.1\.(1|3|6|10)$/
/** The domain has no mail route, if our own lookup agrees. */
const noRouteCodes = /^5\.(1\.2|4\.4)$/
/** Codes used for anything: only the text tells what they mean. */
const wordyCodes = /^(5\.1\.0|5\.2\.[01]|5\.3\.0|5\.4\.1|5\.5\.0|5\.0\.0|5\.7\.1|)$/
/** Sender address, authentication of the message, and Microsoft's verdicts about the sending tenant or address. */
const oursCodes = /^5\.(1\.[78]|7\.2[0-7]|7\.[56]\d\d)$/
/** With a reply up to 504, which is about our commands. */
const commandCodes = /^(5\.[035]\.\d+|)$/
const contentCodes = /^5\.(6\.\d+|3\.4|2\.3)$/

/** A mailbox that exists and receives too much (Gmail). */
const busy = /\brate\b|too (?:many|quickly|fast)/i

/** Microsoft's text for a recipient that the tenant does not have. Others use it, with other codes, for any rule. */
const microsoftDenies = /Recipient address rejected: Access denied/i

function diagnosticOf({ code, text }: DeliveryAttempt): string {
  return code === undefined ? text : `${code} ${text}`.trim()
}
