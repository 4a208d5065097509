import type { HandOff } from "@/lib/delivery/transports/attempt"
import type { SmtpIdentity, SmtpLimits } from "@/lib/delivery/smtp/connection"
import type { Leave } from "@/lib/delivery/smtp/job"
import type { SmtpMail } from "@/lib/delivery/smtp/transaction"
import type { Clock } from "@/lib/platform/clock"

export type SmtpPool = {
  /**
   * Hands one mail to the server for one recipient. Never rejects for what the server or the network does; throws
   * TypeError on an envelope that is none. `signal` ends the attempt: deferred before the final dot, ambiguous after; a mail
   * that is not held any more gets no final dot.
   */
  send(mail: SmtpMail & Leave): Promise<HandOff>
  /** Opens a connection without a mail, for the next one to use; answers why that failed. */
  probe(signal: AbortSignal): Promise<HandOff | undefined>
  /** Waits for the mails under way, then says goodbye on every connection. */
  close(): Promise<void>
}

export type SmtpPoolOptions = SmtpIdentity &
  Partial<SmtpLimits> & {
    /** An idle connection is closed after this. */
    idleTimeoutMs?: number
    /** A connection is closed after this many mails; some servers close or slow down themselves. */
    mailsPerConnectionMax?: number
    /** A mail that takes longer steps aside for those that wait: its place among the connections goes to them. */
    patienceMs?: number
    clock?: Clock
  }

export const smtpDefaults = {
  connectTimeoutMs: 10_000,
  greetingTimeoutMs: 30_000,
  commandTimeoutMs: 60_000,
  dataTimeoutMs: 180_000,
  finalTimeoutMs: 600_000,
  idleTimeoutMs: 10_000,
  mailsPerConnectionMax: 500,
  patienceMs: 1_000,
}
