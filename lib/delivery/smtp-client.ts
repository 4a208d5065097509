import { systemClock, type Clock } from "@/lib/platform/clock"
import type { SmtpTarget } from "@/lib/platform/env"
import type { HandOff } from "@/lib/delivery/hand-off"
import { openConnection, type SmtpIdentity, type SmtpLimits } from "@/lib/delivery/smtp-connection"
import { SmtpFailure } from "@/lib/delivery/smtp-failure"
import { failedHandOff, handOffOf, isStopped, newJob, type Job, type Leave } from "@/lib/delivery/smtp-job"
import { createKept, type Kept } from "@/lib/delivery/smtp-kept"
import { createPatience } from "@/lib/delivery/smtp-patience"
import { prepare, transact, type Prepared, type SmtpMail } from "@/lib/delivery/smtp-transaction"

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

export type SmtpPool = {
  /**
   * Hands one mail to the server for one recipient. Never rejects for what the server or the network does; throws
   * TypeError on an envelope that is none. `signal` ends the attempt: deferred before the final dot, ambiguous after; a mail
   * that is not held any more gets no final dot.
   */
  send(mail: SmtpMail & Leave): Promise<HandOff>
  /** Waits for the mails under way, then says goodbye on every connection. */
  close(): Promise<void>
}

const defaults = {
  connectTimeoutMs: 10_000,
  greetingTimeoutMs: 30_000,
  commandTimeoutMs: 60_000,
  dataTimeoutMs: 180_000,
  finalTimeoutMs: 600_000,
  idleTimeoutMs: 10_000,
  mailsPerConnectionMax: 500,
  patienceMs: 1_000,
}

/** A server that answered the last final dot within this is told the next mail's commands along with the dot. */
const quickFinalMs = 250
/** A mail whose commands were said behind a dot that stays unanswered so long goes another way. */
const aheadWaitMs = 2_000

type Pooled = Kept & {
  /** The last mail broke off in the middle: a RSET comes first. */
  dirty: boolean
  /** Of the latest final dot, by `performance.now()`. */
  dotAt: number
  /** How long the latest answer to a final dot took. */
  finalMs: number
  ahead?: Ahead
}
type Ahead = { job: Job; prepared: Prepared; givenBack: boolean; timer: NodeJS.Timeout }
type Turn = { job: Job; prepared?: Prepared }

/** Connections to one target, opened on demand up to its `maxConnections`, kept open and used again. */
export function createSmtpPool(target: SmtpTarget, options: SmtpPoolOptions): SmtpPool {
  const settings = { ...defaults, ...options }
  const clock = options.clock ?? systemClock
  const kept = createKept<Pooled>(settings)
  /** In order of asking. */
  const queue: Job[] = []
  let lanes = 0
  const patience = createPatience(target.maxConnections, settings.patienceMs, openLane)
  let allEnded = () => {}

  function send({ signal, isHeld, beforeData, ...mail }: SmtpMail & Leave): Promise<HandOff> {
    return new Promise((resolve, reject) => {
      queue.push(newJob(mail, `${target.host}:${target.port}`, { signal, isHeld, beforeData }, resolve, reject))
      openLane()
    })
  }

  /** A place among the connections; it serves what waits, one after the other, until nothing does. */
  function openLane(): void {
    if (lanes - patience.aside() < target.maxConnections && queue.length > 0) void lane()
  }

  async function lane(): Promise<void> {
    lanes += 1
    // One that had stepped aside finds its place taken.
    while (queue.length > 0 && lanes - patience.aside() <= target.maxConnections) await serve(queue.shift() as Job)
    lanes -= 1
    if (lanes === 0) allEnded()
  }

  /** Hands one mail over, and those whose commands its connection takes along. */
  async function serve(job: Job): Promise<void> {
    job.startedAt = clock.now()
    const pooled = await patience.run(() => connectionFor(job))
    if (!pooled) return
    for (let turn: Turn | undefined = { job }; turn;) {
      const { job, prepared }: Turn = turn
      const settle = await patience.run(() => attempt(pooled, { job, prepared }))
      turn = following(pooled)
      // Whoever hears of this hand-off finds the connection free.
      if (!turn) kept.keep(pooled)
      settle()
    }
  }

  async function connectionFor(job: Job): Promise<Pooled | undefined> {
    try {
      if (isStopped(job.leave)) throw new SmtpFailure("connect", "deferred", "stopped")
      const opened = kept.take()
      if (opened) return opened
      const connection = await openConnection(target, settings, settings, job.talk, job.leave.signal)
      return { ...connection, mails: 0, dirty: false, dotAt: 0, finalMs: Infinity }
    } catch (error) {
      fail(job, error)
      return undefined
    }
  }

  /** Answers how to tell whoever asked. */
  async function attempt(pooled: Pooled, { job, prepared }: Turn): Promise<() => void> {
    const { session } = pooled
    job.remote = `${target.host} ${session.remote}`
    job.tls = session.tls
    session.talk = job.talk
    session.heard = 0
    pooled.mails += 1
    const stop = () => session.stop("stopped")
    job.leave.signal?.addEventListener("abort", stop)
    if (isStopped(job.leave)) stop()
    try {
      const ready = prepared ?? prepare(job.mail, pooled, pooled.dirty)
      const reply = await transact(pooled, ready, settings, {
        said: prepared !== undefined,
        ahead: () => takeAlong(pooled),
        beforeData: job.leave.beforeData,
      })
      pooled.dirty = false
      pooled.finalMs = performance.now() - pooled.dotAt
      const handOff = handOffOf(job, "accepted", "final", reply, clock.now())
      return () => job.resolve(handOff)
    } catch (error) {
      pooled.dirty = true
      // The server closed a connection that had served others, which is no fault of this mail.
      const elsewhere = error instanceof SmtpFailure && died(pooled, error) && !isStopped(job.leave)
      return () => (elsewhere ? giveBack(job) : fail(job, error))
    } finally {
      job.leave.signal?.removeEventListener("abort", stop)
    }
  }

  /** The next mail's commands, to go out with the final dot of the one before. */
  function takeAlong(pooled: Pooled): { lines: string[]; talk: string[] } | undefined {
    pooled.dotAt = performance.now()
    const [job] = queue
    if (!job || job.givenBack || isStopped(job.leave) || lanes - patience.aside() > target.maxConnections)
      return undefined
    if (pooled.finalMs > quickFinalMs || pooled.mails >= settings.mailsPerConnectionMax) return undefined
    queue.shift()
    job.startedAt = clock.now()
    try {
      const prepared = prepare(job.mail, pooled, false)
      const ahead: Ahead = { job, prepared, givenBack: false, timer: setTimeout(() => withdraw(ahead), aheadWaitMs) }
      pooled.ahead = ahead
      return { lines: prepared.commands.map(({ line }) => line), talk: job.talk }
    } catch (error) {
      fail(job, error)
      return undefined
    }
  }

  function withdraw(ahead: Ahead): void {
    ahead.givenBack = true
    giveBack(ahead.job)
  }

  /** Whose commands were said ahead is next, unless the connection broke or took too long. */
  function following(pooled: Pooled): Turn | undefined {
    const { ahead, session } = pooled
    if (!ahead) return undefined
    pooled.ahead = undefined
    clearTimeout(ahead.timer)
    if (!ahead.givenBack && !session.socket.destroyed) return ahead
    // Its DATA may be under way: only hanging up keeps us from sending an empty mail.
    session.destroy()
    if (!ahead.givenBack) giveBack(ahead.job)
    return undefined
  }

  /** Back to the head of the queue; from there it never goes along with another. */
  function giveBack(job: Job): void {
    job.givenBack = true
    job.talk.length = 0
    queue.unshift(job)
    openLane()
  }

  function fail(job: Job, error: unknown): void {
    if (error instanceof SmtpFailure) job.resolve(failedHandOff(job, error, clock.now()))
    else job.reject(error)
  }

  async function close(): Promise<void> {
    while (lanes > 0) await new Promise<void>((resolve) => (allEnded = resolve))
    kept.close()
  }

  return { send, close }
}

/** True if a connection that had served others ended before it answered anything of this mail. */
function died({ session, mails }: Pooled, failure: SmtpFailure): boolean {
  if (mails === 1) return false
  return session.heard === 0 || (session.heard === 1 && failure.reply?.code === 421 && failure.phase === "mail")
}
