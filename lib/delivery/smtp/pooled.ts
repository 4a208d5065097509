import type { SmtpConnection } from "@/lib/delivery/smtp/connection"
import type { SmtpFailure } from "@/lib/delivery/smtp/failure"
import type { Job } from "@/lib/delivery/smtp/job"
import type { IdleConnection } from "@/lib/delivery/smtp/idle-connections"
import type { Prepared } from "@/lib/delivery/smtp/transaction"

export type Pooled = IdleConnection & {
  /** The last mail broke off in the middle: a RSET comes first. */
  dirty: boolean
  /** Of the latest final dot, by `performance.now()`. */
  dotAt: number
  /** How long the latest answer to a final dot took. */
  finalMs: number
  ahead?: Ahead
}
export type Ahead = { job: Job; prepared: Prepared; requeued: boolean; timer: NodeJS.Timeout }
export type Turn = { job: Job; prepared?: Prepared }

export function newPooled(connection: SmtpConnection): Pooled {
  return { ...connection, mails: 0, dirty: false, dotAt: 0, finalMs: Infinity }
}

/** True if a connection that had served others ended before it answered anything of this mail. */
export function died({ session, mails }: Pooled, failure: SmtpFailure): boolean {
  if (mails === 1) return false
  return session.heard === 0 || (session.heard === 1 && failure.reply?.code === 421 && failure.phase === "mail")
}
