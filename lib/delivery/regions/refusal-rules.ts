import type { Decision } from "@/lib/delivery/transports/classify"
import type { DeliveryAttempt } from "@/lib/delivery/transports/attempt"
import { isFull, subjectOf } from "@/lib/delivery/transports/refusal-words"

/** From so many recipient domains on, refused with one sentence within this time, a relay refuses everybody. */
export const refusedDomainsMax = 3
export const refusedWithinSeconds = 300

/**
 * Whether a refusal may be the relay's own state: one at MAIL or RCPT that is neither about this recipient (a mailbox that is
 * missing, closed or full, a domain without mail) nor about this message. Three unknown users of three domains are three
 * unknown users, although the relay says the same of each.
 */
export function mayConcernAll(attempt: DeliveryAttempt, { kind, bounceType }: Decision): boolean {
  const { phase, enhanced = "", text } = attempt
  if (kind !== "bounced" || bounceType === "hard" || bounceType === "content") return false
  if (phase === "mail") return true
  if (phase !== "rcpt") return false
  const subject = subjectOf(text)
  if (subject === "sender" || subject === "us") return true
  return subject === "unclear" && !isFull(text) && !ofRecipient.test(enhanced) && !ofDomain.test(text)
}

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
