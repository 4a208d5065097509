import { SmtpFailure } from "@/lib/delivery/smtp/reply"
import type { DeliveryAttempt } from "@/lib/delivery/transports/attempt"
import type { Mail, SendControl } from "@/lib/delivery/transports/transport"
import { cutText } from "@/lib/platform/format"

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
  certificateFault?: string | undefined
  /** Where the connection comes from, once there is one. */
  source?: string
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
    ...(job.certificateFault === undefined ? {} : { certificateFault: job.certificateFault }),
    ...(job.source === undefined ? {} : { source: job.source }),
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

/** Mails that wait for a connection. */
export type JobQueue = {
  /** Behind those of its owner; the owners take turns. */
  add(job: Job): void
  /** Before all others. */
  putBack(job: Job): void
  /** The one that `take` would return. */
  next(): Job | undefined
  take(): Job | undefined
  /** False if it does not wait. */
  remove(job: Job): boolean
  /** Empties the queue. */
  takeAll(): Job[]
  size(): number
}

/** Mails of one owner leave in the order in which they came, and whoever sends one does not wait behind a hundred of another's. */
export function createJobQueue(): JobQueue {
  const returned: Job[] = []
  /** Whose turn it is comes first. */
  const ofOwners = new Map<string, Job[]>()
  let size = 0

  function ownerOf({ control }: Job): string {
    return control.owner ?? ""
  }

  function next(): Job | undefined {
    if (returned.length > 0) return returned[0]
    const [first] = ofOwners.values()
    return first?.[0]
  }

  function take(): Job | undefined {
    const job = next()
    if (!job) return undefined
    size -= 1
    if (returned.length > 0) return returned.shift()
    const owner = ownerOf(job)
    const jobs = ofOwners.get(owner) ?? []
    jobs.shift()
    ofOwners.delete(owner)
    if (jobs.length > 0) ofOwners.set(owner, jobs)
    return job
  }

  function remove(job: Job): boolean {
    const owner = ownerOf(job)
    const jobs = [returned, ofOwners.get(owner) ?? []].find((some) => some.includes(job))
    if (!jobs) return false
    jobs.splice(jobs.indexOf(job), 1)
    if (ofOwners.get(owner)?.length === 0) ofOwners.delete(owner)
    size -= 1
    return true
  }

  return {
    add(job) {
      const owner = ownerOf(job)
      const jobs = ofOwners.get(owner)
      if (jobs) jobs.push(job)
      else ofOwners.set(owner, [job])
      size += 1
    },
    putBack(job) {
      returned.unshift(job)
      size += 1
    },
    next,
    take,
    remove,
    takeAll() {
      const all = [...returned.splice(0), ...[...ofOwners.values()].flat()]
      ofOwners.clear()
      size = 0
      return all
    },
    size: () => size,
  }
}
