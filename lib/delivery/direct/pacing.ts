import {
  afterAway,
  afterOpening,
  afterSignal,
  afterSuccess,
  blockMinutes,
  connectionsMost,
  type DestinationFeedback,
  type SendLimits,
  isPausedByOthers,
  newFeedback,
  paceOf,
  recovered,
  type Signal,
} from "@/lib/delivery/direct/feedback"
import { signalOf } from "@/lib/delivery/direct/reply-signals"
import type { Destination } from "@/lib/delivery/direct/route"
import type { SharedConnections } from "@/lib/delivery/smtp/connection-limit"
import type { SmtpFailure } from "@/lib/delivery/smtp/reply"
import type { DeliveryAttempt, DestinationWait } from "@/lib/delivery/transports/attempt"

/** The queue of a destination, of which one worker reads the mail. */
export type OwnQueue = { id: number; isMine: boolean; revision: number }

/** A destination as one worker sees it: what its replies have shown, and what is under way to it. */
export type Paced = {
  readonly destination: Destination
  /** Its connections, over all of its servers. */
  readonly connections: SharedConnections
  feedback(): DestinationFeedback
  limits(): SendLimits
  queue(): OwnQueue | null
  /** The operator's limits, and with `feedback` what is stored of the destination. */
  take(queue: OwnQueue | null, stored?: { feedback: DestinationFeedback; limits: SendLimits }): void
  /** It has more to say than the queue that its mail waits in: it is paused, slowed, or much of its mail waits. */
  needsQueue(): boolean
  /** How many of its queue may be claimed now; of one at the end of a pause a single one, which tries it. */
  room(isTry: boolean): number
  claimed(count: number): void
  left(): void
  /** Why a mail from this queue is not sent now; else it begins, until `end`. A probe of the region goes ahead of all pauses. */
  begin(queue: number | undefined, isProbe?: boolean): DestinationWait | Begun
  /** What a refusal means for the mail: null for its usual meaning. A block of an address of a pool pauses that address alone. */
  told(attempt: DeliveryAttempt, origin: AttemptOrigin): DestinationWait | null
  /** None of its servers opened a session for a mail that was begun. */
  unreachable(begun: Begun, host: string, text: string): DestinationWait | null
  /** What a mail waits for that was begun before the latest pause or change of its pace. */
  overtaken(): DestinationWait
  /** All servers refuse this machine: that is no block of this one. */
  unblock(): void
  /** There is no queue for it: for a while its mail is sent from where it is. */
  stayShared(): void
  /** It took a mail, or refused one for its own sake. */
  answered(isAccepted: boolean): void
  /** When a mail was last accepted; -Infinity for never. */
  acceptedAt(): number
  /** What its servers have said since the last call; null for nothing. */
  takeNews(): DestinationNews | null
}

/** When an attempt began, whether it left from an address of a pool, and whose mail it was; nobody's for a probe. */
export type AttemptOrigin = { startedAt: number; isFromPool: boolean; owner: string | undefined }

/** Replies of a destination, counted, what they asked for, each kind once, and how many refused or deferred whose mail. */
export type DestinationNews = {
  delivered: number
  deferred: number
  signals: readonly string[]
  /** By project. */
  refusals: ReadonlyMap<string, number>
}

export type Begun = { isCurrent(): boolean; end(): void }

/** All destinations that a worker has met. */
export type Pacing = {
  of(destination: Destination): Paced
  named(key: string): Paced | undefined
  byQueue(id: number): Paced | undefined
  all(): Iterable<Paced>
  /** Workers that share what has no queue of its own. */
  setWorkers(count: number): void
  /** Those that have changed since the last call, but for what was stored by itself. */
  takeChanged(): Paced[]
  /** What is known of it is being stored. */
  stored(one: Paced): void
  now(): number
}

/** Destinations without a queue are forgotten beyond so many, the first ones first. */
const knownMax = 50_000
const minuteMs = 60_000
/** Mails of one destination that wait in a worker, as a multiple of its connections: with more, they get a queue. */
const waitingTimes = 4
/** What is claimed of a queue lasts for so long at its pace. */
const workMs = 2_000
const roomMax = 400
/** A mail whose servers failed while others still try them. */
const againSeconds = 5

export function createPacing(now: () => number): Pacing {
  const known = new Map<string, Paced>()
  const queued = new Map<number, Paced>()
  const changed = new Set<Paced>()
  let workers = 1

  return {
    of(destination) {
      const found = known.get(destination.key)
      if (found) return found
      const paced = createPaced(destination, {
        ...{ now, workers: () => workers, changed: (one) => void changed.add(one) },
        moved(one, from, to) {
          if (from) queued.delete(from.id)
          if (to) queued.set(to.id, one)
        },
      })
      known.set(destination.key, paced)
      if (known.size > knownMax) forgetFirst()
      return paced
    },
    named: (key) => known.get(key),
    byQueue: (id) => queued.get(id),
    all: () => known.values(),
    setWorkers: (count) => void (workers = Math.max(1, count)),
    takeChanged() {
      const all = [...changed]
      changed.clear()
      return all
    },
    stored: (one) => void changed.delete(one),
    now,
  }

  function forgetFirst(): void {
    for (const [key, paced] of known) {
      if (paced.queue() !== null || paced.feedback().pause !== null || paced.connections.inUse() > 0) continue
      known.delete(key)
      return
    }
  }
}

type PacedOptions = {
  now: () => number
  workers: () => number
  changed: (paced: Paced) => void
  /** From one queue to another; null for none. */
  moved: (paced: Paced, from: OwnQueue | null, to: OwnQueue | null) => void
}

function createPaced(destination: Destination, { now, workers, changed, moved }: PacedOptions): Paced {
  let limits: SendLimits = destination
  let current = newFeedback(limits, now())
  let queue: OwnQueue | null = null
  let inUse = 0
  let waking = new Set<() => void>()
  let begun = 0
  let held = 0
  let isTrying = false
  let sharedUntil = -Infinity
  /** Counts pauses and changes of the pace: what was begun before one and has no connection yet goes back. */
  let version = 0
  /** Hosts that opened no session since the last one was opened. */
  let failed: string[] = []
  let tokens = { count: 1, at: now() }
  const accepted = createMinute(now)
  let news = noNews()

  const paced: Paced = {
    destination,
    connections: {
      key: destination.key,
      enter(wake) {
        if (inUse < allowed()) {
          inUse += 1
          return true
        }
        waking.add(wake)
        return false
      },
      leave() {
        inUse -= 1
        wakeWaiting()
      },
      inUse: () => inUse,
      isOver: () => inUse > allowed(),
      opened() {
        failed = []
        change(afterOpening(current, now()))
      },
      refused: (failure) => void learn(failure, 0),
      isWorn: (failure, mails) => learn(failure, mails)?.kind === "mails",
      mailsMax: () => Math.min(current.mailsPerConnection ?? Infinity, limits.mailsPerConnection),
    },
    feedback: () => current,
    limits: () => limits,
    queue: () => queue,
    take(own, stored) {
      moved(paced, queue, own)
      queue = own
      if (!stored) return
      limits = stored.limits
      current = stored.feedback
      version += 1
      wakeWaiting()
    },
    needsQueue() {
      if (now() < sharedUntil) return false
      const { pause, pacePerMinute } = current
      const isLimited = pause !== null || pacePerMinute !== null
      return destination.provider !== null || isLimited || begun >= waitingTimes * allowed()
    },
    room(isTry) {
      recover()
      if (current.pause !== null) {
        // One is on its way to try, and may not have begun: it still may.
        if (held > 0) return 0
        isTrying = isTry
        return isTrying ? 1 : 0
      }
      const perSecond = accepted.count() / 60
      const wanted = Math.max(waitingTimes * allowed(), Math.min(roomMax, (perSecond * workMs) / 1_000))
      return Math.max(0, Math.floor(Math.min(wanted - held, refill())))
    },
    claimed(count) {
      held += count
      tokens.count -= count
    },
    left: () => void (held -= 1),
    begin(from, isProbe = false) {
      const isElsewhere = from !== undefined && from !== queue?.id && (queue !== null || paced.needsQueue())
      if (isElsewhere && !isProbe) return waitOf("queue", false)
      if (current.pause !== null && !isTrying && !isProbe) return waitOf(current.pause, false)
      isTrying = false
      const at = version
      begun += 1
      return { isCurrent: () => version === at, end: () => void (begun -= 1) }
    },
    told(attempt, { startedAt, isFromPool, owner }) {
      const signal = signalOf({ ...attempt, mails: 1, open: inUse, replies: destination.replies })
      if (attempt.outcome === "deferred") news.deferred += 1
      if (owner !== undefined) news.refusals.set(owner, (news.refusals.get(owner) ?? 0) + 1)
      if (signal) news.signals.add(signal.kind)
      if (signal?.kind !== "slow" && signal?.kind !== "block") return null
      if (signal.kind === "block" && isFromPool)
        return { ...waitOf("block", true), blockedMinutes: signal.minutes ?? blockMinutes }
      if (isPausedByOthers(current)) return paced.overtaken()
      const before = current
      const told = { signal, reply: replyOf(attempt), startedAt, open: inUse, mails: 1, accepted: accepted.count() }
      change(afterSignal(current, told, now()))
      const isNewBlock = signal.kind === "block" && before.pause !== "block" && current !== before
      return { ...waitOf(signal.kind, current !== before), ...(isNewBlock && { isNewBlock }) }
    },
    unreachable(own, host, text) {
      if (!own.isCurrent() || isPausedByOthers(current)) return paced.overtaken()
      failed = [...failed.slice(-9), host]
      if (current.pause === null && begun > 1 && failed.length < 2) return waitOf("away", false, againSeconds)
      // Of a provider whose customers have hosts of their own, one that is away says nothing about the others.
      if (current.pause === null && destination.hasOwnHosts && new Set(failed).size < 2) return null
      failed = []
      news.signals.add("away")
      change(afterAway(current, text, now()))
      return waitOf("away", true)
    },
    overtaken: () => waitOf(current.pause ?? "slow", false),
    unblock() {
      if (current.pause !== "block") return
      change({ ...current, pause: null, pausedUntil: null, pauses: 0, limitedSince: null })
    },
    stayShared: () => void (sharedUntil = now() + minuteMs),
    answered(isAccepted) {
      if (isAccepted) {
        accepted.add()
        news.delivered += 1
      }
      change(afterSuccess(current, limits, now()))
    },
    acceptedAt: accepted.last,
    takeNews() {
      const { delivered, deferred, signals, refusals } = news
      if (delivered === 0 && deferred === 0 && refusals.size === 0 && signals.size === 0) return null
      news = noNews()
      return { delivered, deferred, signals: [...signals], refusals }
    },
  }
  return paced

  /** Of what is in no queue of its own, other workers send as much. */
  function allowed(): number {
    const most = Math.min(current.connections, connectionsMost(current, limits))
    return queue?.isMine ? most : Math.max(1, Math.ceil(most / workers()))
  }

  function wakeWaiting(): void {
    const all = waking
    waking = new Set()
    for (const wake of all) wake()
  }

  /** Raises what has not been limited again, if it is time. */
  function recover(): void {
    change(recovered(current, limits, now()))
  }

  function change(next: DestinationFeedback): void {
    if (next === current) return
    const before = current
    current = next
    const isClosed =
      next.pause !== before.pause || (next.pacePerMinute ?? Infinity) < (before.pacePerMinute ?? Infinity)
    if (isClosed && (next.pause !== null || next.pacePerMinute !== null)) {
      version += 1
      tokens = { count: 0, at: now() }
    }
    if (storedFields.some((field) => next[field] !== before[field])) changed(paced)
    if (next.connections > before.connections) wakeWaiting()
  }

  /** What a connection that could not be opened, or took no further mail, tells. */
  function learn({ phase, reply, message }: SmtpFailure, mails: number): Signal | null {
    const open = Math.max(0, inUse - 1)
    const { code, enhanced } = reply ?? {}
    const { replies } = destination
    const signal = signalOf({ phase, code, enhanced, text: message, mails, open, replies })
    if (signal?.kind !== "connections" && signal?.kind !== "mails") return null
    news.signals.add(signal.kind)
    const told = { signal, reply: message, startedAt: now(), open, mails, accepted: 0 }
    change(afterSignal(current, told, now()))
    return signal
  }

  function waitOf(why: DestinationWait["why"], isCause: boolean, seconds?: number): DestinationWait {
    return { destination: destination.key, why, isCause, ...(seconds !== undefined && { seconds }) }
  }

  /** Mails that may be sent now at its pace. */
  function refill(): number {
    const pace = paceOf(current, limits)
    if (pace === null) return Infinity
    const at = now()
    const most = Math.max(1, pace / 60)
    tokens = { count: Math.min(most, tokens.count + ((at - tokens.at) / minuteMs) * pace), at }
    return tokens.count
  }
}

function noNews() {
  return { delivered: 0, deferred: 0, signals: new Set<string>(), refusals: new Map<string, number>() }
}

/** What is kept of a destination over a restart. */
const storedFields = [
  "pause",
  "pausedUntil",
  "pauses",
  "limitedSince",
  "reply",
  "connectionsMax",
  "mailsPerConnection",
  "pacePerMinute",
] as const satisfies readonly (keyof DestinationFeedback)[]

function replyOf({ code, text }: DeliveryAttempt): string {
  return code === undefined ? text : `${code} ${text}`
}

/** Counts of the last minute, by the second. */
function createMinute(now: () => number) {
  const seconds: { second: number; count: number }[] = []
  let last = -Infinity

  function forget(): void {
    const from = Math.floor(now() / 1_000) - 60
    while (seconds[0] && seconds[0].second <= from) seconds.shift()
  }

  return {
    add() {
      forget()
      last = now()
      const second = Math.floor(last / 1_000)
      const latest = seconds.at(-1)
      if (latest?.second === second) latest.count += 1
      else seconds.push({ second, count: 1 })
    },
    count() {
      forget()
      return seconds.reduce((sum, { count }) => sum + count, 0)
    },
    last: () => last,
  }
}
