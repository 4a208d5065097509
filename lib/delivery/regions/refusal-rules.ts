import { networkPrefix } from "@/lib/delivery/direct/own-fault"
import {
  type Decision,
  envelopeAddress,
  isAboutSender,
  isFull,
  isOfUnverified,
  subjectOf,
} from "@/lib/delivery/transports/classify"
import type { DeliveryAttempt } from "@/lib/delivery/transports/attempt"

export const refusedWithinSeconds = 300

/** A relay, or the servers of all recipients. */
type NextHop = { hasOneServer: boolean }

/** From so many refusers on, with one sentence within that time, everybody is refused. */
export function refusersMax({ hasOneServer }: NextHop): number {
  return hasOneServer ? 3 : 5
}

/** For whom a relay refuses: a recipient domain. Of recipients' own servers, who refuses: a network, which serves many domains. */
export function refuserOf({ hasOneServer }: NextHop, { remote }: DeliveryAttempt, canonical: string): string {
  if (hasOneServer) return canonical.slice(canonical.lastIndexOf("@") + 1)
  return networkPrefix(/ \[?([^\]\s]+?)\]?:\d+$/.exec(remote)?.[1] ?? remote)
}

/** Whether a refusal may be of everybody: by what the next hop is. */
export function mayConcernAll(nextHop: NextHop, attempt: DeliveryAttempt, decision: Decision): boolean {
  return nextHop.hasOneServer ? mayBeOfRelay(attempt, decision) : isOfThisMachine(attempt)
}

/** A server's reply before the message that names this machine, its address, its name or a list of such. */
function isOfThisMachine({ phase, code = 0, text, enhanced = "" }: DeliveryAttempt): boolean {
  const isEarly = phase === "greeting" || phase === "ehlo" || phase === "mail" || phase === "rcpt"
  if (!isEarly || code < 500 || isAboutSender({ enhanced, text })) return false
  return subjectOf(text) === "us" && thisMachine.test(text)
}

const thisMachine =
  /\b(?:client|connecting|sending) (?:host|ip|address|server)\b|\b(?:your|this) (?:ip|host|hostname|server|network|mail server|address)\b|\bip (?:address|\[|\d)|\[?\b\d{1,3}(?:\.\d{1,3}){3}\b|\b(?:block|black|deny)[ -]?list|\b(?:rbl|dnsbl|spamhaus|spamcop|barracuda|sorbs|uceprotect)\b|\b(?:ptr|rdns|reverse dns|reverse hostname)\b/i

/**
 * Whether a refusal may be the relay's own state: one at MAIL or RCPT that is neither about this recipient (a mailbox that is
 * missing, closed or full, a domain without mail) nor about this message. Three unknown users of three domains are three
 * unknown users, although the relay says the same of each. Once it has the message, only words about our account, and whom it may
 * write to, are no words about that.
 */
function mayBeOfRelay(attempt: DeliveryAttempt, { kind, bounceType }: Decision): boolean {
  const { phase, enhanced = "", text, conversation } = attempt
  if (kind !== "bounced" || bounceType === "hard" || bounceType === "content") return false
  if (phase === "mail") return true
  if (phase === "data" || phase === "final") {
    const to = envelopeAddress(conversation, "RCPT TO")
    return ofAccount.test(text) || (to !== undefined && isOfUnverified(text, to))
  }
  if (phase !== "rcpt") return false
  const subject = subjectOf(text)
  if (subject === "sender") return true
  if (isFull(attempt)) return false
  return subject === "us" || (subject === "unclear" && !ofRecipient.test(enhanced) && !ofDomain.test(text))
}

/** As the SMTP servers of Amazon SES and others say at the end of the message that an account may not send. */
const ofAccount =
  /\bsending (?:is |was |has been )?(?:paused|suspended|disabled) for (?:this|your|the) account\b|\b(?:your|this) (?:sending |smtp )?account (?:is|was|has been) (?:temporarily |permanently |currently )?(?:suspended|paused|disabled|blocked|locked)\b/i

const ofRecipient = /^5\.(1\.[1-4]|1\.6|1\.10|2\.\d+|4\.[46])$/
const ofDomain =
  /\b(?:domain|host)(?: name)?\b.{0,40}\b(?:not found|unknown|does(?: not|n't) (?:exist|accept|receive)|no (?:mx|mail))|\b(?:no such|unknown) (?:domain|host)\b|\bnull ?mx\b|\bno (?:mx|mail exchanger)\b|\bname service error\b/i

/** A server's reply without what differs from mail to mail: addresses, domains, numbers and ids. */
export function sentenceOf({ code, text }: Pick<DeliveryAttempt, "code" | "text">, canonical: string): string {
  const [local = "", domain = ""] = canonical.split("@")
  const words = text
    .slice(0, 1_000)
    .replace(/<?[^\s<>@"'(),;:[\]]{1,64}@[^\s<>@"'(),;:[\]]{1,255}>?/g, "#")
    .split(/([\s<>()[\]{},;:="'|/]+)/)
    .map((word) => (isOwn(word, local, domain) ? "#" : word.toLowerCase()))
    .join("")
  return `${code ?? ""} ${words
    .replace(/#(?:[\s#.,;:-]*#)+/g, "#")
    .replace(/\s+/g, " ")
    .trim()}`.slice(0, 500)
}

function isOwn(word: string, local: string, domain: string): boolean {
  const bare = word.replace(/[.!?]{1,9}$/, "").toLowerCase()
  if (bare === "") return false
  if (bare === local || bare === domain) return true
  // A number, a host name, or an id in mixed case.
  return /\d/.test(bare) || /[a-z0-9]\.[a-z]{2}/.test(bare) || /[a-z][A-Z]/.test(word)
}
