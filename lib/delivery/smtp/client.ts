import { systemClock } from "@/lib/platform/clock"
import type { SmtpTarget } from "@/lib/platform/env/env"
import type { DeliveryAttempt } from "@/lib/delivery/transports/attempt"
import { openConnection } from "@/lib/delivery/smtp/connection"
import { SmtpFailure } from "@/lib/delivery/smtp/failure"
import { attemptOf, failedAttempt, isStopped, newJob, newProbe, type Job } from "@/lib/delivery/smtp/job"
import { createIdleConnections } from "@/lib/delivery/smtp/idle-connections"
import { createPatience } from "@/lib/delivery/smtp/patience"
import { died, newPooled, type Ahead, type Pooled, type Turn } from "@/lib/delivery/smtp/pooled"
import { createReach } from "@/lib/delivery/smtp/reach"
import { smtpDefaults, type SmtpPoolOptions } from "@/lib/delivery/smtp/pool"
import { askForMail, prepare, transact } from "@/lib/delivery/smtp/transaction"
import type { Mail, SendControl, Transport } from "@/lib/delivery/transports/transport"

/** A server that answered the last final dot within this is told the next mail's commands along with the dot. */
const quickFinalMs = 250
/** A mail whose commands were said behind a dot that stays unanswered so long goes another way. */
const aheadWaitMs = 2_000

/** Connections to one target, opened on demand up to its `maxConnections`, kept open and reused. */
export function createSmtpPool(target: SmtpTarget, options: SmtpPoolOptions): Transport {
  const settings = { ...smtpDefaults, ...options }
  const clock = options.clock ?? systemClock
  const idle = createIdleConnections<Pooled>(settings)
  const remote = `${target.host}:${target.port}`
  /** In order of asking. */
  const queue: Job[] = []
  let lanes = 0
  const reach = createReach()
  const patience = createPatience(target.maxConnections, settings.patienceMs, openLane)
  let allEnded = () => {}

  function send({ signal, isHeld, beforeData, ...mail }: Mail & SendControl): Promise<DeliveryAttempt> {
    return new Promise((resolve, reject) => {
      queue.push(newJob(mail, remote, { signal, isHeld, beforeData }, resolve, reject))
      openLane()
    })
  }

  /** A place among the connections; it serves what waits, one after the other, until nothing does. */
  function openLane(): void {
    if (lanes - patience.slow() < target.maxConnections && queue.length > 0 && !reach.isFull()) void lane()
  }

  async function lane(): Promise<void> {
    lanes += 1
    while (queue.length > 0 && mayGoOn()) await serve(queue.shift() as Job)
    lanes -= 1
    if (lanes === 0) allEnded()
  }

  function mayGoOn(): boolean {
    // A slow mail has lost its connection slot to another.
    return lanes - patience.slow() <= target.maxConnections && (idle.size() > 0 || !reach.isFull())
  }

  /** Hands one mail over, and those whose commands its connection takes along. */
  async function serve(job: Job): Promise<void> {
    job.startedAt = clock.now()
    const pooled = await connectionFor(job)
    if (pooled) await reach.carrying(() => serveOver(pooled, job))
  }

  async function serveOver(pooled: Pooled, first: Job): Promise<void> {
    for (let turn: Turn | undefined = { job: first }; turn;) {
      const { job, prepared }: Turn = turn
      const settle = await patience.run(() => attempt(pooled, { job, prepared }))
      turn = following(pooled)
      // Whoever hears of this hand-off finds the connection free.
      if (!turn) idle.keep(pooled)
      settle()
    }
  }

  async function connectionFor(job: Job): Promise<Pooled | undefined> {
    try {
      if (isStopped(job.control)) throw new SmtpFailure("connect", "deferred", "stopped")
      return idle.take() ?? (await open(job))
    } catch (error) {
      if (isStopped(job.control) || !(error instanceof SmtpFailure)) fail(job, error)
      else if (idle.size() > 0 || reach.othersServe()) requeue(job)
      else failQueue(job, error)
      return undefined
    }
  }

  async function open({ talk, control }: Job): Promise<Pooled> {
    const opened = reach.opening(() => openConnection(target, settings, settings, talk, control.signal))
    return newPooled(await opened)
  }

  /** The server is unreachable: what waits for a connection need not find that out one by one. */
  function failQueue(job: Job, failure: SmtpFailure): void {
    fail(job, failure)
    for (const one of queue.splice(0)) {
      one.startedAt = clock.now()
      one.resolve({ ...failedAttempt(one, failure, clock.now()), untried: true })
    }
  }

  async function probe(signal: AbortSignal): Promise<DeliveryAttempt | undefined> {
    const job = newProbe(remote, { signal }, clock.now())
    try {
      const opened = await open(job)
      await askForMail(opened.session, settings)
      idle.keep({ ...opened, mails: 1, dirty: true })
      return undefined
    } catch (error) {
      if (error instanceof SmtpFailure) return failedAttempt(job, error, clock.now())
      throw error
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
    job.control.signal?.addEventListener("abort", stop)
    if (isStopped(job.control)) stop()
    try {
      const ready = prepared ?? prepare(job.mail, pooled, pooled.dirty)
      const reply = await transact(pooled, ready, settings, {
        said: prepared !== undefined,
        ahead: () => pipelineNext(pooled),
        beforeData: job.control.beforeData,
      })
      pooled.dirty = false
      reach.heard()
      pooled.finalMs = performance.now() - pooled.dotAt
      const attempt = attemptOf(job, "accepted", "final", reply, clock.now())
      return () => job.resolve(attempt)
    } catch (error) {
      pooled.dirty = true
      if (error instanceof SmtpFailure && error.reply) reach.heard()
      // The server closed a connection that had served others, which is no fault of this mail.
      const elsewhere = error instanceof SmtpFailure && died(pooled, error) && !isStopped(job.control)
      return () => (elsewhere ? requeue(job) : fail(job, error))
    } finally {
      job.control.signal?.removeEventListener("abort", stop)
    }
  }

  /** The next mail's commands, to go out with the final dot of the one before. */
  function pipelineNext(pooled: Pooled): { lines: string[]; talk: string[] } | undefined {
    pooled.dotAt = performance.now()
    const [job] = queue
    if (!job || job.requeued || isStopped(job.control) || lanes - patience.slow() > target.maxConnections)
      return undefined
    if (pooled.finalMs > quickFinalMs || pooled.mails >= settings.mailsPerConnectionMax) return undefined
    queue.shift()
    job.startedAt = clock.now()
    try {
      const prepared = prepare(job.mail, pooled, false)
      const ahead: Ahead = { job, prepared, requeued: false, timer: setTimeout(() => withdraw(ahead), aheadWaitMs) }
      pooled.ahead = ahead
      return { lines: prepared.commands.map(({ line }) => line), talk: job.talk }
    } catch (error) {
      fail(job, error)
      return undefined
    }
  }

  function withdraw(ahead: Ahead): void {
    ahead.requeued = true
    requeue(ahead.job)
  }

  /** Whose commands were said ahead is next, unless the connection broke or took too long. */
  function following(pooled: Pooled): Turn | undefined {
    const { ahead, session } = pooled
    if (!ahead) return undefined
    pooled.ahead = undefined
    clearTimeout(ahead.timer)
    if (!ahead.requeued && !session.socket.destroyed) return ahead
    // Its DATA may be under way: only hanging up keeps us from sending an empty mail.
    session.destroy()
    if (!ahead.requeued) requeue(ahead.job)
    return undefined
  }

  /** Back to the head of the queue; from there it never goes along with another. */
  function requeue(job: Job): void {
    job.requeued = true
    job.talk.length = 0
    queue.unshift(job)
    openLane()
  }

  function fail(job: Job, error: unknown): void {
    if (error instanceof SmtpFailure) job.resolve(failedAttempt(job, error, clock.now()))
    else job.reject(error)
  }

  async function close(): Promise<void> {
    while (lanes > 0) await new Promise<void>((resolve) => (allEnded = resolve))
    idle.close()
  }

  return { send, probe, close }
}
