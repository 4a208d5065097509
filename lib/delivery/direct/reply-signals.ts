import { blockCause, replyCharsRead, type Signal, verification } from "@/lib/delivery/direct/feedback"
import type { Provider } from "@/lib/delivery/direct/providers"
import type { DeliveryAttempt } from "@/lib/delivery/transports/attempt"
import { isAboutAuthentication, isAboutSender } from "@/lib/delivery/transports/classify"

// What the replies of a destination say of us. Apart from what pages read too, as the words of all servers are many.

export type ServerReply = Pick<DeliveryAttempt, "text"> & {
  phase?: DeliveryAttempt["phase"] | undefined
  code?: number | undefined
  enhanced?: string | undefined
  /** Mails that the connection has carried, with this one; zero before the first. */
  mails: number
  /** Other connections to the destination that are open. */
  open: number
  replies?: Provider["replies"] | undefined
}

/**
 * Null where it says nothing about us: at RCPT nearly everything is about the recipient (a mailbox that is full or busy,
 * greylisting), and what is said of a message is about that message.
 */
export function signalOf(reply: ServerReply): Signal | null {
  const { phase = "connect", code, text, open } = reply
  if (code === undefined) return phase === "connect" && open > 0 && refused.test(text) ? { kind: "connections" } : null
  if (code < 400) return null
  const known = reply.replies?.find(({ says }) => says.test(`${reply.enhanced ?? ""} ${text}`))
  if (known?.signal === "sender") return null
  if (known?.signal === "slow") return { kind: "slow" }
  if (known) return { kind: "block", ...(known.minutes !== undefined && { minutes: known.minutes }) }
  if (isBeforeData(reply) && blockCause(`${reply.enhanced ?? ""} ${text}`)) return { kind: "block" }
  if (isAboutRecipient(reply)) return null
  if (code >= 500) return isBlock(reply) ? { kind: "block" } : null
  if (aboutConnections.test(text) && excess.test(text)) return ofConnections(reply)
  if (isSlowDown(reply)) return { kind: "slow" }
  return isBlock(reply) ? { kind: "block" } : null
}

const refused = /\bECONNREFUSED\b|\bECONNRESET\b/
const aboutConnections = /\b(?:connections?|concurren\w*|simultaneous\w*|sessions?)\b/i
const excess = /\b(?:too many|limit\w*|max\w*|exceed\w*|concurren\w*|simultaneous\w*|enough)\b/i
const rate =
  /\b(?:rate|throttl\w*|too (?:fast|quickly)|too many (?:e-?mails|mails|messages)|slow down|temporarily deferred|unusual (?:rate|volume)|unexpected volume|frequency|try again (?:more )?slowly)\b/i
const greylisting = /\bgr[ea]y[- ]?list\w*/i
const ofRecipient = /\b(?:mailbox|recipient|user|account|quota|inbox)\b/i
const blockWords =
  /\b(?:block\w*|black ?list\w*|deny ?list\w*|listed|banned|denied|refused|rejected|reputation|spamhaus|barracuda\w*|rbl|dnsbl)\b/i

/** Mails on a connection before this one: the server ends connections after so many. */
function ofConnections({ phase, mails, open }: ServerReply): Signal | null {
  const isInside = phase === "mail" || phase === "rcpt" || phase === "data" || phase === "final"
  if (isInside && mails > 1) return { kind: "mails" }
  if (open > 0) return { kind: "connections" }
  // Of a first mail on an only connection there cannot be fewer.
  return isInside ? { kind: "slow" } : null
}

function isSlowDown({ phase, code, enhanced = "", text }: ServerReply): boolean {
  // The mail of one domain must not slow that of all others.
  if (isAboutAuthentication({ enhanced, text })) return false
  if (enhanced === "4.7.28" || rate.test(text)) return true
  if (phase === "rcpt") return code === 421
  // Before MAIL another of its servers may take what a server that closes does not take.
  if (phase === "connect" || phase === "greeting" || phase === "ehlo" || phase === "starttls" || phase === "auth")
    return enhanced === "4.7.0"
  return code === 421 || enhanced === "4.7.0" || enhanced === "4.3.2" || enhanced === "4.4.5"
}

/** Until the message is sent, a refusal that names an address of a machine is about ours, unless it is about who sends. */
function isBlock(reply: ServerReply): boolean {
  const { text, enhanced = "" } = reply
  if (!isBeforeData(reply) || !namesMachine(text) || !blockWords.test(text)) return false
  return !isAboutSender({ enhanced, text })
}

/** Whether a text names an address of a machine. Those that it quotes are of the recipient's own servers. */
function namesMachine(text: string): boolean {
  return machine.test(text.slice(0, replyCharsRead).replace(quotedMachines, " "))
}

/** IPv4, or IPv6 with eight groups or a gap: a time such as 10:11:12 is none. */
const machine =
  /(?<![\w.:])(?:IPv6:)?(?:(?:\d{1,3}\.){3}\d{1,3}|(?:[\da-f]{1,4}:){7}[\da-f]{1,4}|(?=[\da-f:]{0,39}::)[\da-f:]{3,39})(?!\w)/i
/** As Postfix writes what the next server said, and which one it could not reach. */
const quotedMachines = /\bhost \S{1,255}\[[^\]]{1,50}\] (?:said|refused)\b|\bconnect to \S{1,255}\[[^\]]{1,50}\]/gi

function isBeforeData({ phase }: ServerReply): boolean {
  return phase !== "data" && phase !== "final"
}

function isAboutRecipient({ phase, code = 0, text }: ServerReply): boolean {
  if (greylisting.test(text)) return true
  return phase === "rcpt" && code !== 421 && (ofRecipient.test(text) || verification.test(text)) && !namesMachine(text)
}

const askedMax = 3_600

/** Seconds until a server wants to be asked again, as a greylisting reply says; null where it does not. */
export function askedSeconds(text: string): number | null {
  const [, count, unit = ""] = /\b(?:in|after|for) (\d{1,5}) ?(s|sec|min|h)/i.exec(text) ?? []
  if (count === undefined) return null
  const seconds = Number(count) * (/^m/i.test(unit) ? 60 : /^h/i.test(unit) ? 3_600 : 1)
  return Math.min(askedMax, seconds + 10)
}
