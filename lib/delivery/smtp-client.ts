import { systemClock, type Clock } from "@/lib/platform/clock"
import type { SmtpTarget } from "@/lib/platform/env"
import type { HandOff } from "@/lib/delivery/hand-off"
import { openConnection, type SmtpConnection, type SmtpIdentity, type SmtpLimits } from "@/lib/delivery/smtp-connection"
import { SmtpFailure } from "@/lib/delivery/smtp-failure"
import { transact, type SmtpMail } from "@/lib/delivery/smtp-transaction"

export type SmtpPoolOptions = SmtpIdentity &
  Partial<SmtpLimits> & {
    /** An idle connection is closed after this. */
    idleTimeoutMs?: number
    /** A connection is closed after this many mails; some servers close or slow down themselves. */
    mailsPerConnectionMax?: number
    clock?: Clock
  }

export type SmtpPool = {
  /**
   * Hands one mail to the server for one recipient. Never rejects for what the server or the network does; throws
   * TypeError on an envelope that is none. `signal` ends the attempt: deferred before the final dot, ambiguous after.
   */
  send(mail: SmtpMail & { signal?: AbortSignal }): Promise<HandOff>
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
}

type Pooled = SmtpConnection & { mails: number; dirty: boolean; idleTimer?: NodeJS.Timeout }
type Attempt = { talk: string[]; remote: string; tls?: string }

/** Connections to one target, opened on demand up to its `maxConnections`, kept open and used again. */
export function createSmtpPool(target: SmtpTarget, options: SmtpPoolOptions): SmtpPool {
  const settings = { ...defaults, ...options }
  const clock = options.clock ?? systemClock
  const idle: Pooled[] = []
  const waiting: (() => void)[] = []
  const underWay = new Set<Promise<HandOff>>()
  let busy = 0

  async function send(mail: SmtpMail & { signal?: AbortSignal }): Promise<HandOff> {
    const sending = attempt(mail)
    underWay.add(sending)
    return sending.finally(() => underWay.delete(sending))
  }

  async function attempt({ signal, ...mail }: SmtpMail & { signal?: AbortSignal }): Promise<HandOff> {
    await turn()
    const startedAt = clock.now()
    const trace: Attempt = { talk: [], remote: `${target.host}:${target.port}` }
    try {
      const reply = await carry(mail, trace, signal)
      return finish(trace, startedAt, "accepted", "final", reply)
    } catch (error) {
      if (!(error instanceof SmtpFailure)) throw error
      return finish(trace, startedAt, error.outcome, error.phase, { ...error.reply, text: error.message })
    } finally {
      busy -= 1
      waiting.shift()?.()
    }
  }

  /** A place among the connections, in order of asking. */
  async function turn(): Promise<void> {
    busy += 1
    if (busy > target.maxConnections) await new Promise<void>((resolve) => waiting.push(resolve))
  }

  async function carry(mail: SmtpMail, trace: Attempt, signal?: AbortSignal) {
    if (signal?.aborted) throw new SmtpFailure("connect", "deferred", "stopped")
    for (let pooled = takeIdle(); pooled; pooled = takeIdle()) {
      try {
        return await useOnce(pooled, mail, trace, signal)
      } catch (error) {
        // The server closed a connection that lay idle, which is no fault of this mail.
        if (!(error instanceof SmtpFailure && error.stale)) throw error
        trace.talk.length = 0
      }
    }
    const opened = await openConnection(target, settings, settings, trace.talk, signal)
    return useOnce({ ...opened, mails: 0, dirty: false }, mail, trace, signal)
  }

  async function useOnce(pooled: Pooled, mail: SmtpMail, trace: Attempt, signal?: AbortSignal) {
    const { session } = pooled
    trace.remote = `${target.host} ${session.remote}`
    trace.tls = session.tls
    session.talk = trace.talk
    session.heard = 0
    const stop = () => session.stop("stopped")
    signal?.addEventListener("abort", stop)
    if (signal?.aborted) stop()
    pooled.mails += 1
    try {
      const reply = await transact(pooled, mail, settings, pooled.dirty)
      pooled.dirty = false
      return reply
    } catch (error) {
      pooled.dirty = true
      if (!(error instanceof SmtpFailure)) throw error
      throw died(pooled, error) && !signal?.aborted ? stale(error) : error
    } finally {
      signal?.removeEventListener("abort", stop)
      keep(pooled)
    }
  }

  function takeIdle(): Pooled | undefined {
    for (let pooled = idle.pop(); pooled; pooled = idle.pop()) {
      clearTimeout(pooled.idleTimer)
      if (pooled.session.usable) return pooled
      pooled.session.destroy()
    }
    return undefined
  }

  function keep(pooled: Pooled): void {
    if (!pooled.session.usable) return pooled.session.destroy()
    if (pooled.mails >= settings.mailsPerConnectionMax) return quit(pooled)
    pooled.idleTimer = setTimeout(() => {
      idle.splice(idle.indexOf(pooled), 1)
      quit(pooled)
    }, settings.idleTimeoutMs).unref()
    idle.push(pooled)
  }

  function finish(
    trace: Attempt,
    startedAt: Date,
    outcome: HandOff["outcome"],
    phase: HandOff["phase"],
    reply: { code?: number; enhanced?: string; text: string },
  ): HandOff {
    return {
      outcome,
      phase,
      ...(reply.code === undefined ? {} : { code: reply.code }),
      ...(reply.enhanced === undefined ? {} : { enhanced: reply.enhanced }),
      text: reply.text.slice(0, textCharsMax),
      remote: trace.remote,
      ...(trace.tls === undefined ? {} : { tls: trace.tls }),
      conversation: trace.talk,
      startedAt,
      endedAt: clock.now(),
    }
  }

  async function close(): Promise<void> {
    while (underWay.size > 0) await Promise.allSettled(underWay)
    for (let pooled = takeIdle(); pooled; pooled = takeIdle()) quit(pooled)
  }

  return { send, close }
}

const textCharsMax = 1_000
/** How long a server may take to hang up after QUIT. */
const farewellMs = 2_000

/** True if a connection that had served others ended before it answered anything of this mail. */
function died({ session, mails }: Pooled, failure: SmtpFailure): boolean {
  if (mails === 1) return false
  return session.heard === 0 || (session.heard === 1 && failure.reply?.code === 421 && failure.phase === "mail")
}

function stale({ phase, outcome, message, reply }: SmtpFailure): SmtpFailure {
  return new SmtpFailure(phase, outcome, message, reply, true)
}

function quit({ session }: Pooled): void {
  session.talk = []
  session.write(["QUIT"])
  session.socket.end()
  setTimeout(() => session.destroy(), farewellMs).unref()
}
