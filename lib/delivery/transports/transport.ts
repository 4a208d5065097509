import type { KeyObject } from "node:crypto"
import type { Pacing } from "@/lib/delivery/direct/pacing"
import type { TlsDemand } from "@/lib/emails/message-rules"
import type { DeliveryAttempt, OwnFault } from "@/lib/delivery/transports/attempt"

/** One signed message for one recipient, with its envelope. */
export type Mail = {
  /** Return path; empty for a report. */
  from: string
  to: string
  /** Composed and signed: sent byte for byte. */
  message: Buffer
  /** Who signed it, for a provider that signs instead of us. */
  sender?: MailSender
  /** Asks for delivery reports (RFC 3461) where the next hop offers them, under this id. */
  dsnEnvelopeId?: string
  /** For a transport that knows the recipients' own servers. */
  tls?: TlsDemand
  /** A report about TLS, for the same: no policy keeps it back (RFC 8460 section 3), and how its session ends is not reported. */
  isTlsReport?: true
  /**
   * For the same: where the mail leaves from, asked once its servers are known, by the name of their provider (empty for none).
   * `any` leaves it to the system; with `held` nothing is sent now.
   */
  takeSource?: (provider: string) => Promise<Source | "any" | "held">
}

/** A sending domain, its DKIM key, and its domain for bounces if it has one. */
export type MailSender = { domain: string; mailFromDomain?: string; selector: string; key: KeyObject }

/** An address of this machine, and its name at EHLO. */
export type Source = { address: string; ehloName: string }

/** Whether a message may still be sent: checked before each step after which the next hop could have it. */
export type SendControl = {
  /** Whose it is: while mails wait for a connection, those of several owners take turns. */
  owner?: string
  /** The queue that the mail was claimed from. */
  queue?: number
  /** It finds out whether its region or its way is free again, so it waits for no destination. */
  isProbe?: boolean
  /** Ends the attempt: deferred before the whole message was sent, ambiguous after. */
  signal?: AbortSignal
  /** False once another worker has claimed the delivery. */
  isHeld?: () => boolean
  /** Called once the next hop waits for the message's data; returns false if the delivery is no longer held. */
  beforeData?: () => Promise<boolean>
}

/** Sends mail to the next hop of a region: SMTP, the sandbox, or a provider's API. It manages its own connections. */
export type Transport = {
  /** Never rejects for what the network or the next hop does; throws TypeError on an invalid envelope. */
  send(mail: Mail & SendControl): Promise<DeliveryAttempt>
  /**
   * Tries to reach the next hop without a message; resolves with the failed attempt, undefined if it can be reached.
   * @param fault what was found before, by any worker
   */
  probe(signal: AbortSignal, fault?: OwnFault): Promise<DeliveryAttempt | undefined>
  /** Waits for the messages being sent, then closes every connection. */
  close(): Promise<void>
  /** Of a transport that knows the recipients' own servers: how each group of them wants to be sent to. */
  pacing?: Pacing
}
