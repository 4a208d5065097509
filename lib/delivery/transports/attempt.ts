import type { Phase } from "@/lib/explanation/codes"

/** `ambiguous`: the final dot was sent and no reply came, so the next hop may have the mail (RFC 1047). */
export type Outcome = "accepted" | "refused" | "deferred" | "region_fault" | "ambiguous"

/** One attempt to send one mail for one recipient to the next hop. */
export type DeliveryAttempt = {
  outcome: Outcome
  /** Absent for a transport without SMTP phases. */
  phase?: Phase
  /** SMTP reply code, absent if no reply decided, and for an HTTP API, whose 401 and 403 are `region_fault`. */
  code?: number
  /** Enhanced status code (RFC 3463), as in `5.1.1`. */
  enhanced?: string
  /** The server's reply, or our own error text; at most 1,000 characters, no control characters. */
  text: string
  /** Host, address and port of the server. */
  remote: string
  /** TLS protocol, as in `TLSv1.3`; absent on a plain connection. */
  tls?: string
  /** The address of ours that the connection came from; absent without one. */
  source?: string
  /** What it called itself there (EHLO). */
  ehloName?: string
  /** What is wrong with a certificate that was not demanded to be valid, as a code of Node.js. */
  certificateFault?: string
  /** How safe the connection was, and what demanded that; absent for a transport that has one server for all mail. */
  security?: TlsSecurity
  /** What our own lookup says of the recipient's domain, for a transport that makes one. */
  route?: "none" | "exists"
  /** `C: …` and `S: …`, without message data and credentials. */
  conversation: string[]
  /** Whether the server was asked for reports of the delivery; absent where none are wanted. */
  reports?: "asked" | "not_offered"
  /** Its source may not send it now: nothing was sent. */
  held?: true
  /** The provider of the region takes nothing more now: it waits so long, and nothing of this is charged to it. */
  paced?: RegionPace
  /** The provider has not verified this domain, of the sender or for its bounces. */
  unverified?: string
  /** Of a region's fault, what this machine or the account at the provider lacks; absent for a relay. */
  fault?: OwnFault
  /** It was waiting for a connection when another mail found the relay unreachable: nothing was sent for it. */
  notSent?: true
  /** It waits for its destination, and nothing of this is charged to it. */
  waits?: DestinationWait
  startedAt: Date
  endedAt: Date
}

/** What keeps a region from sending any mail, and is no relay that is unreachable. */
export type OwnFault = MachineFault | SesFault

/**
 * Why a machine that sends to recipients' servers itself can do so with none of them: no resolver answers; it has no route to the
 * internet; it does not have the address that it sends from; or connections to the port of mail servers are dropped on their way.
 */
export type MachineFault =
  | { code: "resolver_silent"; facts: { resolvers: readonly string[] } }
  | { code: "no_route"; facts: { server: string } }
  | { code: "source_missing"; facts: { source: string } }
  | { code: "port_blocked"; facts: { port: number; servers: readonly string[] } }

/**
 * Why Amazon SES takes no mail of the account: it has suspended it or paused its sending, the credentials or their permissions do not
 * suffice, or the configuration set of SMTP_URL does not exist.
 */
export type SesFault =
  | { code: "ses_suspended"; facts: Record<string, never> }
  | { code: "ses_paused"; facts: Record<string, never> }
  | { code: "ses_credentials"; facts: { error: string } }
  | { code: "ses_configuration_set"; facts: { name: string } }

export const machineFaultCodes = [
  "resolver_silent",
  "no_route",
  "source_missing",
  "port_blocked",
] as const satisfies readonly MachineFault["code"][]

export const ownFaultCodes = [
  ...machineFaultCodes,
  "ses_suspended",
  "ses_paused",
  "ses_credentials",
  "ses_configuration_set",
] as const satisfies readonly OwnFault["code"][]

/** Why a provider takes nothing more: its rate, its limit for a day, or errors of its own. */
export type RegionPace = {
  why: "rate" | "daily" | "errors"
  seconds: number
  /** Its own attempt has found that out, the first within a minute. */
  isCause: boolean
}

/** Why a mail waits: its destination has a queue of its own, or takes nothing now. */
export type DestinationWait = {
  destination: string
  why: "queue" | "away" | "slow" | "block" | "operator" | "warm_up"
  /** Its own attempt has found that out. */
  isCause: boolean
  /** It refuses the address of a pool: only mail from there waits, for so long. */
  blockedMinutes?: number
  /** It refuses this machine, and did not before. */
  isNewBlock?: true
  /** Until it is tried again, where that is no matter of the destination's queue. */
  seconds?: number
}

/** `valid`: a certificate of a known authority, for the name of the server; `dane`: one that the domain's DNS names. */
export type TlsLevel = "none" | "encrypted" | "valid" | "dane"

export type TlsSecurity = {
  level: TlsLevel
  /** Absent where no policy applies: the server offered it. */
  policy?: TlsPolicy
}

/** Who demands a level: the recipient's domain (RFC 7672, RFC 8461), the sender, or what is known of the provider. */
export type TlsPolicy = "dane" | "mta-sts" | "sender" | "provider"

/** Demands for authentication or encryption: in any phase they concern us and not the mail. */
const accessCodes = new Set([530, 534, 535, 538])
export const beforeMail: ReadonlySet<Phase> = new Set<Phase>(["connect", "greeting", "ehlo", "starttls", "auth"])

/** What a negative reply in this phase means. 552 at RCPT is temporary (RFC 5321 4.5.3.1.10). */
export function outcomeOf(phase: Phase, code: number): Exclude<Outcome, "accepted" | "ambiguous"> {
  if (accessCodes.has(code) || beforeMail.has(phase)) return "region_fault"
  if (code < 500 || code > 599) return "deferred"
  return phase === "rcpt" && code === 552 ? "deferred" : "refused"
}
