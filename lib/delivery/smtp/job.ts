import type { DeliveryAttempt } from "@/lib/delivery/transports/attempt"
import { SmtpFailure } from "@/lib/delivery/smtp/failure"
import type { Mail, SendControl } from "@/lib/delivery/transports/transport"
import { cutText } from "@/lib/platform/text"

export function isStopped({ signal, isHeld }: SendControl): boolean {
  return signal?.aborted === true || isHeld?.() === false
}

/** One mail that waits to be sent or is being sent. */
export type Job = {
  mail: Mail
  control: SendControl
  /** Commands sent and replies received for it. */
  transcript: string[]
  remote: string
  tls?: string
  /** Whether the server offers delivery reports (RFC 3461), once that is known. */
  offersReports?: boolean
  startedAt: Date
  /** It was tried on a connection that turned out to be broken. */
  requeued: boolean
  resolve(attempt: DeliveryAttempt): void
  reject(error: unknown): void
}

export function newJob(
  mail: Mail,
  remote: string,
  control: SendControl,
  resolve: Job["resolve"],
  reject: Job["reject"],
): Job {
  return { mail, control, transcript: [], remote, startedAt: new Date(0), requeued: false, resolve, reject }
}

/** A connection that is opened without a mail. */
export function newProbe(remote: string, control: SendControl, startedAt: Date): Job {
  const ignore = () => {}
  return { ...newJob({ from: "", to: "", message: Buffer.alloc(0) }, remote, control, ignore, ignore), startedAt }
}

export function failedAttempt(
  job: Job,
  { outcome, phase, reply, message }: SmtpFailure,
  endedAt: Date,
): DeliveryAttempt {
  return attemptOf(job, outcome, phase, { ...reply, text: message }, endedAt)
}

/** Settles a job whose attempt failed; an error other than SmtpFailure is a defect and rejects it. */
export function failJob(job: Job, error: unknown, endedAt: Date): void {
  if (error instanceof SmtpFailure) job.resolve(failedAttempt(job, error, endedAt))
  else job.reject(error)
}

export function attemptOf(
  job: Job,
  outcome: DeliveryAttempt["outcome"],
  phase: DeliveryAttempt["phase"],
  reply: { code?: number; enhanced?: string; text: string },
  endedAt: Date,
): DeliveryAttempt {
  return {
    outcome,
    phase,
    ...(reply.code === undefined ? {} : { code: reply.code }),
    ...(reply.enhanced === undefined ? {} : { enhanced: reply.enhanced }),
    text: cutText(reply.text, textCharsMax),
    remote: job.remote,
    ...(job.tls === undefined ? {} : { tls: job.tls }),
    ...reportsOf(job),
    conversation: job.transcript,
    startedAt: job.startedAt,
    endedAt,
  }
}

function reportsOf({ mail, offersReports }: Job): Pick<DeliveryAttempt, "reports"> {
  if (mail.dsnEnvelopeId === undefined || offersReports === undefined) return {}
  return { reports: offersReports ? "asked" : "not_offered" }
}

const textCharsMax = 1_000
