import type { BounceType, DeliveryAttempt } from "@/lib/delivery/transports/attempt"
import { bounceSentence, regionSentence, retrySentence } from "@/lib/delivery/transports/attempt-sentences"

export type Decision = {
  kind: "accepted" | "bounced" | "retry" | "region_fault" | "ambiguous"
  bounceType?: BounceType
  /** Enhanced status code, or the reply code where there is none. */
  bounceCode?: string
  /** Put the recipient on the suppression list now. */
  suppress: boolean
  /** The server's reply with its code, or our own error text. */
  diagnostic: string
  /** Shown to people: what happened and what follows. */
  sentence: string
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
  switch (attempt.outcome) {
    case "accepted":
      return { ...plain, kind: "accepted", sentence: "The next server accepted the message." }
    case "deferred":
      return { ...plain, kind: "retry", sentence: retrySentence(attempt) }
    case "region_fault":
      return { ...plain, kind: "region_fault", sentence: regionSentence(attempt) }
    case "ambiguous":
      return {
        ...plain,
        kind: "ambiguous",
        sentence: "The whole message was sent, but no reply confirms that the server accepted it.",
      }
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
        sentence: bounceSentence(bounceType, attempt),
      }
    }
  }
}

/** The type of a bounce by its codes and text; also usable for the status fields of a delivery report (RFC 3464). */
export function bounceTypeOf(
  { enhanced = "", text, phase }: Pick<DeliveryAttempt, "enhanced" | "text" | "phase">,
  route: MailRoute,
): BounceType {
  // A refusal before RCPT is never about the recipient.
  const named = phase !== "mail"
  if (oursCodes.test(enhanced)) return "ours"
  if (hardCodes.test(enhanced)) return named ? "hard" : "ours"
  if (noRouteCodes.test(enhanced)) return named && route === "none" ? "hard" : "soft"
  if (enhanced === "5.2.1" && busy.test(text)) return "soft"
  if (named && wordyCodes.test(enhanced) && noMailbox.some((words) => words.test(text))) return "hard"
  if (contentCodes.test(enhanced)) return "content"
  if (enhanced.startsWith("5.7.")) return "block"
  if (!softCodes.test(enhanced) && blocked.test(text)) return "block"
  return "soft"
}

/** The address itself is wrong. */
const hardCodes = /^5\.1\.(1|3|6|10)$/
/** The domain has no mail route, if our own lookup agrees. */
const noRouteCodes = /^5\.(1\.2|4\.4)$/
/** Codes used for anything: only the text tells what they mean. */
const wordyCodes = /^(5\.2\.1|5\.4\.1|5\.5\.0|5\.0\.0|5\.7\.1|)$/
/** Sender address, authentication of the message, and Microsoft's verdicts about the sending tenant or address. */
const oursCodes = /^5\.(1\.[78]|7\.2[0-7]|7\.[56]\d\d)$/
const contentCodes = /^5\.(6\.\d+|3\.4|2\.3)$/
const softCodes = /^5\.(2\.2|4\.7)$/

/** A mailbox that exists and receives too much (Gmail). */
const busy = /\brate\b|too (?:many|quickly|fast)/i

/** How providers report a mailbox that does not exist. Not "mailbox unavailable", which is RFC 5321's text for any 550. */
const noMailbox = [
  /\b(?:no such|unknown|invalid|non-?existent) (?:user|recipient|mailbox|account|address|local part)\b/i,
  /\b(?:user|recipient|mailbox|account|address)(?: address)?(?: is)? (?:unknown|disabled|inactive|invalid|not found)\b/i,
  /\b(?:user|recipient|mailbox|account|address)\b.{0,60}\b(?:does not|doesn['’]?t|do not) exist\b/i,
  /\b(?:mailbox|account|user)\b.{0,40}\b(?:has been|is|was) (?:disabled|deactivated|closed|deleted|suspended)\b/i,
  // Microsoft 365 and outlook.com
  /Recipient address rejected: (?:Access denied|User unknown)/i,
  /\bS2017062302\b/,
  // Yahoo and AOL
  /\bdoes(?:n['’]?t| not) have an? \S+ account\b/i,
  /\bno mailbox (?:here )?by that name\b/i,
]

const blocked =
  /\b(?:spam|black ?list(?:ed)?|block ?list(?:ed)?|blocked|reputation|policy|spamhaus|unsolicited|banned)\b/i

function diagnosticOf({ code, text }: DeliveryAttempt): string {
  return code === undefined ? text : `${code} ${text}`.trim()
}
