import { isIPv6 } from "node:net"
import { createAddresses, type LookUp } from "@/lib/delivery/smtp/addresses"
import type { SmtpEndpoint, SmtpIdentity, SmtpLimits } from "@/lib/delivery/smtp/connection"
import { createConnectionLimit, type SharedConnections, createReachability } from "@/lib/delivery/smtp/connection-limit"
import { SmtpFailure } from "@/lib/delivery/smtp/reply"
import {
  attemptOf,
  createJobQueue,
  failedAttempt,
  failJob,
  isStopped,
  type Job,
  newJob,
  newProbe,
} from "@/lib/delivery/smtp/job"
import {
  beginAttempt,
  createIdleConnections,
  died,
  mayPipeline,
  openPooled,
  type PooledConnection,
  type Sending,
} from "@/lib/delivery/smtp/pooled-connections"
import { askForMail, prepare, transact } from "@/lib/delivery/smtp/transaction"
import type { DeliveryAttempt } from "@/lib/delivery/transports/attempt"
import type { Mail, SendControl, Transport } from "@/lib/delivery/transports/transport"
import { type Clock, systemClock } from "@/lib/platform/time"

/** A mail pipelined behind a dot that stays unanswered for so long is requeued. */
const aheadWaitMs = 2_000

/** While the server accepts no further connections, waiting mails ask so often whether it does. */
const askAgainMs = 1_000

/**
 * Of connections that are shared, which count at the server, one more is opened only once so many mails wait for each open one:
 * waiting mails are pipelined. A mail waits for so long at most.
 */
const [waitingPerLane, laneWaitMs] = [2, 1_000]

/** Connections to one target, opened on demand up to its `maxConnections`, kept open and reused. */
export function createSmtpPool(target: SmtpEndpoint, options: SmtpPoolOptions): Transport {
  const settings = { ...smtpDefaults, ...options }
  const clock = options.clock ?? systemClock
  const { shared } = options
  const mailsMax = shared?.mailsMax ?? (() => settings.mailsPerConnectionMax)
  const idle = createIdleConnections({ ...settings, mailsMax })
  const remote = target.address === undefined ? `${target.host}:${target.port}` : remoteOf(target, target.address)
  const addresses = createAddresses(target, settings)
  const queue = createJobQueue()
  let lanes = 0
  let asking: NodeJS.Timeout | undefined
  let waiting: NodeJS.Timeout | undefined
  const server = createReachability()
  const limit = createConnectionLimit(target.maxConnections)
  const work = createSlowWork(target.maxConnections, settings.slowMs, openLane)
  let allEnded = () => {}

  function send({ signal, isHeld, beforeData, owner, ...mail }: Mail & SendControl): Promise<DeliveryAttempt> {
    return new Promise((resolve, reject) => {
      const job = newJob(mail, remote, { signal, isHeld, beforeData, owner }, resolve, reject)
      signal?.addEventListener("abort", () => leaveQueue(job), { once: true })
      queue.add(job)
      openLane()
    })
  }

  /** A mail that is stopped does not wait for the lane that would find that out. */
  function leaveQueue(job: Job): void {
    if (!queue.remove(job)) return
    job.startedAt = clock.now()
    failJob(job, stopped(), clock.now())
  }

  /**
   * Starts a lane if there is a free connection slot: it sends waiting mails one after the other until there are none. If the
   * server takes no further connection it is asked again, because nothing else may wake those that wait.
   */
  function openLane(): void {
    if (queue.size() === 0 || lanes - work.slow() >= limit.now()) return
    if (shared && idle.size() === 0 && queue.size() < waitingPerLane * lanes)
      waiting ??= setTimeout(endWait, laneWaitMs).unref()
    else startLane()
  }

  function endWait(): void {
    waiting = undefined
    if (queue.size() > 0 && lanes - work.slow() < limit.now()) startLane()
  }

  function startLane(): void {
    if (hasConnection()) {
      if (shared?.enter(openLane) !== false) void lane()
    } else
      asking ??= setTimeout(() => {
        asking = undefined
        openLane()
      }, askAgainMs).unref()
  }

  async function lane(): Promise<void> {
    lanes += 1
    while (mayContinue()) {
      const job = queue.take()
      if (!job) break
      await serve(job)
    }
    lanes -= 1
    shared?.leave()
    if (queue.size() === 0) {
      clearTimeout(waiting)
      waiting = undefined
    }
    openLane()
    if (lanes === 0) allEnded()
  }

  function mayContinue(): boolean {
    // A slow mail has given its connection slot to another lane.
    return lanes - work.slow() <= limit.now() && shared?.isOver() !== true && hasConnection()
  }

  function hasConnection(): boolean {
    return idle.size() > 0 || !server.isFull()
  }

  /** Sends one mail, and those that its connection pipelines behind it. */
  async function serve(job: Job): Promise<void> {
    job.startedAt = clock.now()
    const pooled = await connectionFor(job)
    if (pooled) await server.carrying(() => serveOver(pooled, job))
  }

  async function serveOver(pooled: PooledConnection, first: Job): Promise<void> {
    for (let next: Sending | undefined = { job: first }; next;) {
      const { job, prepared }: Sending = next
      const settle = await work.run(() => attempt(pooled, { job, prepared }))
      next = following(pooled)
      // The connection is idle before the caller gets the result and sends the next mail.
      if (!next) idle.keep(pooled)
      settle()
      // What the caller makes of a failure may hold for the next mail.
      if (shared && pooled.dirty) await new Promise(setImmediate)
    }
  }

  async function connectionFor(job: Job): Promise<PooledConnection | undefined> {
    try {
      if (isStopped(job.control)) throw stopped()
      return idle.take() ?? (await open(job))
    } catch (error) {
      if (isStopped(job.control) || !(error instanceof SmtpFailure)) failJob(job, error, clock.now())
      else {
        shared?.refused(error)
        const lowered = limit.lowers(error, lanes - 1)
        if (idle.size() > 0 || server.othersServe()) requeue(job)
        else if (lowered) askLater(job)
        else failQueue(job, error)
      }
      return undefined
    }
  }

  async function open({ transcript, control }: Job): Promise<PooledConnection> {
    const openAt = (address: string, connectTimeoutMs: number) =>
      openPooled({ ...target, address }, { ...settings, connectTimeoutMs }, transcript, control.signal)
    const opened = await server.opening(() => addresses.openAny(openAt, transcript, control.signal))
    limit.opened()
    shared?.opened()
    return opened
  }

  /** The server has no connection for us at this moment. */
  function askLater(job: Job): void {
    server.pause()
    requeue(job)
  }

  /** The server is unreachable: fails all waiting mails at once instead of trying each. */
  function failQueue(job: Job, failure: SmtpFailure): void {
    failJob(job, failure, clock.now())
    for (const one of queue.takeAll()) {
      one.startedAt = clock.now()
      one.resolve({ ...failedAttempt(one, failure, clock.now()), notSent: true })
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
    } finally {
      // Mails may have waited for its connection.
      openLane()
    }
  }

  /** Returns a function that settles the job. */
  async function attempt(pooled: PooledConnection, { job, prepared }: Sending): Promise<() => void> {
    const { session } = pooled
    beginAttempt(pooled, job, target.host)
    const stop = () => session.stop("stopped")
    job.control.signal?.addEventListener("abort", stop)
    if (isStopped(job.control)) stop()
    try {
      const ready = prepared ?? prepare(job.mail, pooled, pooled.dirty)
      const reply = await transact(pooled, ready, settings, {
        sent: prepared !== undefined,
        ahead: () => pipelineNext(pooled),
        beforeData: job.control.beforeData,
      })
      pooled.dirty = false
      server.replied()
      pooled.finalMs = performance.now() - pooled.dotAt
      const attempt = attemptOf(job, "accepted", "final", reply, clock.now())
      return () => job.resolve(attempt)
    } catch (error) {
      pooled.dirty = true
      if (error instanceof SmtpFailure && error.reply) server.replied()
      // The server closed a connection that had served other mails, which says nothing about this one.
      const elsewhere = error instanceof SmtpFailure && isOfConnection(pooled, error) && !isStopped(job.control)
      return () => (elsewhere ? requeue(job) : failJob(job, error, clock.now()))
    } finally {
      job.control.signal?.removeEventListener("abort", stop)
    }
  }

  /** It has carried as many mails as it may, or was closed before it replied to this one. */
  function isOfConnection(pooled: PooledConnection, failure: SmtpFailure): boolean {
    if (pooled.mails === 1 || shared?.isWorn(failure, pooled.mails) !== true) return died(pooled, failure)
    pooled.session.destroy()
    return true
  }

  /** The next mail's commands, to go out with the final dot of the one before. */
  function pipelineNext(pooled: PooledConnection): { lines: string[]; transcript: string[] } | undefined {
    pooled.dotAt = performance.now()
    const job = queue.next()
    if (!job || job.requeued || isStopped(job.control) || lanes - work.slow() > limit.now()) return undefined
    if (!mayPipeline(pooled, mailsMax())) return undefined
    queue.take()
    job.startedAt = clock.now()
    try {
      const prepared = prepare(job.mail, pooled, false)
      pooled.ahead = { job, prepared, timer: setTimeout(() => requeue(job), aheadWaitMs) }
      return { lines: prepared.commands.map(({ line }) => line), transcript: job.transcript }
    } catch (error) {
      failJob(job, error, clock.now())
      return undefined
    }
  }

  /** The pipelined mail is next, unless the connection broke or took too long. */
  function following(pooled: PooledConnection): Sending | undefined {
    const { ahead, session } = pooled
    if (!ahead) return undefined
    pooled.ahead = undefined
    clearTimeout(ahead.timer)
    if (!ahead.job.requeued && !session.socket.destroyed) return ahead
    // Its DATA may have been sent: only closing the connection keeps the server from taking an empty mail.
    session.destroy()
    if (!ahead.job.requeued) requeue(ahead.job)
    return undefined
  }

  /** Back to the head of the queue; from there it is never pipelined again. */
  function requeue(job: Job): void {
    job.requeued = true
    job.transcript.length = 0
    queue.putBack(job)
    openLane()
  }

  async function close(): Promise<void> {
    while (lanes > 0) await new Promise<void>((resolve) => (allEnded = resolve))
    idle.close()
  }

  return { send, probe, close }
}

/** As a session shows it once it is open. */
function remoteOf({ host, port }: SmtpEndpoint, address: string): string {
  return `${host} ${isIPv6(address) ? `[${address}]` : address}:${port}`
}

function stopped(): SmtpFailure {
  return new SmtpFailure("connect", "deferred", "stopped")
}

export type SmtpPoolOptions = SmtpIdentity &
  Partial<SmtpLimits> & {
    /** An idle connection is closed after this. */
    idleTimeoutMs?: number
    /** A connection is closed after this many mails; some servers close or slow down themselves. */
    mailsPerConnectionMax?: number
    /** A mail that takes longer counts as slow and frees its connection slot for those that wait. */
    slowMs?: number
    /** Without them, the pool has connections of its own, up to its target's `maxConnections`. */
    shared?: SharedConnections
    clock?: Clock
    lookUp?: LookUp
  }

const smtpDefaults = {
  connectTimeoutMs: 10_000,
  greetingTimeoutMs: 30_000,
  commandTimeoutMs: 60_000,
  dataTimeoutMs: 180_000,
  finalTimeoutMs: 600_000,
  idleTimeoutMs: 10_000,
  mailsPerConnectionMax: 500,
  slowMs: 1_000,
}

export type SlowWork = {
  /** How many are slow now. */
  slow(): number
  /** Runs work that holds a connection slot; if it takes long it counts as slow, and `onSlow` reports its slot free. */
  run<T>(work: () => Promise<T>): Promise<T>
}

/** How many may be slow at once, as a multiple of the slots; further ones keep their slots. */
const slowTimes = 4

/** A server that is silent for some recipients must not hold up the mail of all others: slow work frees its slot. */
function createSlowWork(slots: number, slowMs: number, onSlow: () => void): SlowWork {
  let slow = 0

  return {
    slow: () => slow,
    async run(work) {
      let late = false
      const timer = setInterval(() => {
        if (late || slow >= slowTimes * slots) return
        late = true
        slow += 1
        onSlow()
      }, slowMs)
      try {
        return await work()
      } finally {
        clearInterval(timer)
        if (late) slow -= 1
      }
    },
  }
}
