import type { SmtpIdentity, SmtpLimits } from "@/lib/delivery/smtp/connection"
import type { Clock } from "@/lib/platform/clock"

export type SmtpPoolOptions = SmtpIdentity &
  Partial<SmtpLimits> & {
    /** An idle connection is closed after this. */
    idleTimeoutMs?: number
    /** A connection is closed after this many mails; some servers close or slow down themselves. */
    mailsPerConnectionMax?: number
    /** A mail that takes longer counts as slow and frees its connection slot for those that wait. */
    slowMs?: number
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
  slowMs: 1_000,
}
