import {
  type SmtpEndpoint,
  openConnection,
  type SmtpConnection,
  type SmtpIdentity,
  type SmtpLimits,
} from "@/lib/delivery/smtp/connection"
import { ResetRefused, type SmtpFailure } from "@/lib/delivery/smtp/reply"
import type { Job } from "@/lib/delivery/smtp/job"
import type { Prepared } from "@/lib/delivery/smtp/transaction"

/** A connection of the pool. */
export type PooledConnection = SmtpConnection & {
  /** Mails that it has carried or carries. */
  mails: number
  /** The last mail broke off in the middle: a RSET must come first. */
  dirty: boolean
  /** When the latest final dot was sent, by `performance.now()`. */
  dotAt: number
  /** How long the latest reply to a final dot took. */
  finalMs: number
  /** The mail whose commands were sent with the latest final dot. */
  ahead?: PipelinedJob
  idleTimer?: NodeJS.Timeout
}

export type PipelinedJob = { job: Job; prepared: Prepared; timer: NodeJS.Timeout }

/** A mail on a connection; `prepared` if its commands have been sent already. */
export type Sending = { job: Job; prepared?: Prepared }

/** If a server replied to the last final dot within this, the next mail's commands are pipelined with the dot. */
const quickFinalMs = 250

export async function openPooled(
  target: SmtpEndpoint,
  settings: SmtpIdentity & SmtpLimits,
  transcript: string[],
  signal?: AbortSignal,
): Promise<PooledConnection> {
  const connection = await openConnection(target, settings, settings, transcript, signal)
  return { ...connection, mails: 0, dirty: false, dotAt: 0, finalMs: Infinity }
}

/** Points the session's transcript at the job and the job at the connection. */
export function beginAttempt(pooled: PooledConnection, job: Job, host: string): void {
  const { session, extensions } = pooled
  job.remote = `${host} ${session.remote}`
  job.tls = session.tls
  job.source = session.socket.localAddress
  job.certificateFault = session.certificateFault
  job.offersReports = extensions.has("DSN")
  session.transcript = job.transcript
  session.replyCount = 0
  pooled.mails += 1
}

export function mayPipeline({ finalMs, mails }: PooledConnection, mailsMax: number): boolean {
  return finalMs <= quickFinalMs && mails < mailsMax
}

/** True if a connection that had served other mails ended before it replied to this one, or did not take the RSET before it. */
export function died({ session, mails }: PooledConnection, failure: SmtpFailure): boolean {
  if (mails === 1) return false
  if (failure instanceof ResetRefused) return true
  return (
    session.replyCount === 0 || (session.replyCount === 1 && failure.reply?.code === 421 && failure.phase === "mail")
  )
}

export type IdleConnections = {
  /** The most recently used one that is still open. */
  take(): PooledConnection | undefined
  /** Keeps a connection for the next mail, or closes it if it has carried its maximum. */
  keep(connection: PooledConnection): void
  /** How many are idle. */
  size(): number
  close(): void
}

/** How long a server may take to hang up after QUIT. */
const farewellMs = 2_000

/** Open connections between two mails. */
export function createIdleConnections(limits: { idleTimeoutMs: number; mailsMax: () => number }): IdleConnections {
  const idle: PooledConnection[] = []

  function take(): PooledConnection | undefined {
    for (let one = idle.pop(); one; one = idle.pop()) {
      clearTimeout(one.idleTimer)
      if (one.session.usable) return one
      one.session.destroy()
    }
    return undefined
  }

  function keep(one: PooledConnection): void {
    if (!one.session.usable) return one.session.destroy()
    if (one.mails >= limits.mailsMax()) return quit(one)
    one.idleTimer = setTimeout(() => {
      idle.splice(idle.indexOf(one), 1)
      quit(one)
    }, limits.idleTimeoutMs).unref()
    idle.push(one)
  }

  function close(): void {
    for (let one = take(); one; one = take()) quit(one)
  }

  return { take, keep, size: () => idle.length, close }
}

function quit({ session }: SmtpConnection): void {
  session.transcript = []
  session.write(["QUIT"])
  session.socket.end()
  setTimeout(() => session.destroy(), farewellMs).unref()
}
