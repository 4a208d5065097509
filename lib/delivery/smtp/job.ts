import type { HandOff } from "@/lib/delivery/transports/attempt"
import type { SmtpFailure } from "@/lib/delivery/smtp/failure"
import type { SmtpMail } from "@/lib/delivery/smtp/transaction"
import { cutText } from "@/lib/platform/text"

/** Whether a mail may still be handed over: asked again before each step that the server could take for the mail. */
export type Leave = {
  signal?: AbortSignal
  /** False once the mail is another worker's. */
  isHeld?: () => boolean
  /** Asked once the server waits for the message's data, before the first octet leaves; false if the mail is not ours any more. */
  beforeData?: () => Promise<boolean>
}

export function isStopped({ signal, isHeld }: Leave): boolean {
  return signal?.aborted === true || isHeld?.() === false
}

/** One mail that waits for its hand-off or is being handed over. */
export type Job = {
  mail: SmtpMail
  leave: Leave
  /** What was said and heard for it. */
  talk: string[]
  remote: string
  tls?: string
  startedAt: Date
  /** It had its turn on a connection that was no good. */
  givenBack: boolean
  resolve(handOff: HandOff): void
  reject(error: unknown): void
}

export function newJob(
  mail: SmtpMail,
  remote: string,
  leave: Leave,
  resolve: Job["resolve"],
  reject: Job["reject"],
): Job {
  return { mail, leave, talk: [], remote, startedAt: new Date(0), givenBack: false, resolve, reject }
}

/** A connection that is opened without a mail. */
export function newProbe(remote: string, leave: Leave, startedAt: Date): Job {
  const nobody = () => {}
  return { ...newJob({ from: "", to: "", message: Buffer.alloc(0) }, remote, leave, nobody, nobody), startedAt }
}

export function failedHandOff(job: Job, { outcome, phase, reply, message }: SmtpFailure, endedAt: Date): HandOff {
  return handOffOf(job, outcome, phase, { ...reply, text: message }, endedAt)
}

export function handOffOf(
  job: Job,
  outcome: HandOff["outcome"],
  phase: HandOff["phase"],
  reply: { code?: number; enhanced?: string; text: string },
  endedAt: Date,
): HandOff {
  return {
    outcome,
    phase,
    ...(reply.code === undefined ? {} : { code: reply.code }),
    ...(reply.enhanced === undefined ? {} : { enhanced: reply.enhanced }),
    text: cutText(reply.text, textCharsMax),
    remote: job.remote,
    ...(job.tls === undefined ? {} : { tls: job.tls }),
    conversation: job.talk,
    startedAt: job.startedAt,
    endedAt,
  }
}

const textCharsMax = 1_000
