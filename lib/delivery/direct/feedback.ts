import { type BlockCause, blockCauses } from "@/lib/explanation/codes"

/** What a reply says about how a destination wants to be sent to, whoever the mail is for. */
export type Signal =
  /** There are too many connections. */
  | { kind: "connections" }
  /** The connection has carried as many mails as it may. */
  | { kind: "mails" }
  | { kind: "slow" }
  /** Our address is refused. */
  | { kind: "block"; minutes?: number }

/** Of a reply, more is not looked at. */
export const replyCharsRead = 2_000

const causes: Record<BlockCause, RegExp> = {
  reverse_name:
    /\b[45]\.7\.25\b|\breverse[ -](?:dns|name|lookup|hostname|resolution)\b|\brdns\b|\bptr\b|\bcannot find your (?:reverse )?hostname\b/i,
  ehlo_name: /\b(?:helo|ehlo)\b.*\b(?:reject\w*|refus\w*|invalid|bad|need\w*|must|unknown|not)\b/i,
}

/** Why our address is refused, where the reply says so and the operator can fix it (5.7.25: RFC 7372). */
export function blockCause(reply: string): BlockCause | undefined {
  // Not the words of a recipient's address.
  const words = reply.slice(0, replyCharsRead).split(/\s/)
  const text = words.filter((word) => !word.includes("@")).join(" ")
  if (verification.test(text)) return undefined
  return blockCauses.find((cause) => causes[cause].test(text))
}

/** A server asked the server of an address, the sender's or the recipient's, and passes on what that said of its command. */
export const verification =
  /\bcall-?(?:out|back|ahead)s?\b|\bwhile verifying\b|\b(?:unverified|undeliverable) address\b/i

/** What a destination may be sent, unless its replies say less: the usual figures, or the operator's. */
export type SendLimits = { connections: number; mailsPerConnection: number; pacePerMinute?: number | undefined }

/** Why nothing is sent to a destination. */
export const pauseKinds = ["away", "slow", "block", "operator", "warm_up"] as const
export type PauseKind = (typeof pauseKinds)[number]

/** What the replies of a destination have shown. Times are milliseconds of one clock, which only grows. */
export type DestinationFeedback = {
  /** Connections at once, now. */
  connections: number
  /** Learned; null for the usual number. */
  connectionsMax: number | null
  /** Learned; null for the usual number. */
  mailsPerConnection: number | null
  /** Mails a minute; null for no such limit. */
  pacePerMinute: number | null
  pause: PauseKind | null
  /** When a mail is tried again; null with a pause that does not end by itself. */
  pausedUntil: number | null
  /** In a row. */
  pauses: number
  /** When the pause, or the pace, began. */
  limitedSince: number | null
  reply: string | null
  /** Mails accepted since the number of connections was raised. */
  successes: number
  /** The latest signal: what was begun before it says nothing new. */
  signalAt: number
  /** When limits were last raised, or lowered. */
  raisedAt: number
  /** Accepted in the minute before it was first slowed: a pace beyond it is none. */
  fullPace: number
}

const minuteMs = 60_000
const startConnections = 2
const [awayMin, slowMin] = [
  [1, 2, 4, 8, 15],
  [5, 10, 20, 40, 60],
]
/** A block whose reply says nothing of its time. */
export const blockMinutes = 60
/** A destination that has been away for so long is asked once an hour. */
const longAwayMs = 4 * 3_600_000
const raiseEveryMs = 5 * minuteMs
const raiseTimes = 1.5
/** A pace from before a restart, whose full pace is not known, is none beyond this. */
const usualFullPace = 600

export function newFeedback(limits: SendLimits, now: number): DestinationFeedback {
  return {
    connections: Math.min(startConnections, limits.connections),
    connectionsMax: null,
    mailsPerConnection: null,
    pacePerMinute: null,
    pause: null,
    pausedUntil: null,
    pauses: 0,
    limitedSince: null,
    reply: null,
    successes: 0,
    signalAt: -Infinity,
    raisedAt: now,
    fullPace: usualFullPace,
  }
}

/** The mails a minute that it may be sent: what it has shown, or what the operator allows. */
export function paceOf({ pacePerMinute }: DestinationFeedback, limits: SendLimits): number | null {
  const pace = Math.min(pacePerMinute ?? Infinity, limits.pacePerMinute ?? Infinity)
  return pace === Infinity ? null : pace
}

export function connectionsMost({ connectionsMax }: DestinationFeedback, limits: SendLimits): number {
  return Math.max(1, Math.min(connectionsMax ?? Infinity, limits.connections))
}

const endsByItself: ReadonlySet<PauseKind> = new Set<PauseKind>(["away", "slow", "block"])

/** What others begin, a mail that was under way does not end. */
export function isPausedByOthers({ pause }: DestinationFeedback): boolean {
  return pause !== null && !endsByItself.has(pause)
}

/** A mail was accepted, or refused for its own sake: the destination takes mail. One more connection after as many as there are. */
export function afterSuccess(feedback: DestinationFeedback, limits: SendLimits, now: number): DestinationFeedback {
  const current = feedback.pause === null || isPausedByOthers(feedback) ? feedback : released(feedback, now)
  const most = connectionsMost(current, limits)
  const successes = current.successes + 1
  const isSlowed = current.pacePerMinute !== null
  if (current.connections >= most || isSlowed || successes < current.connections) return { ...current, successes }
  return { ...current, connections: current.connections + 1, successes: 0 }
}

/** A session was opened: a destination that was away is back. */
export function afterOpening(feedback: DestinationFeedback, now: number): DestinationFeedback {
  return feedback.pause === "away" ? released(feedback, now) : feedback
}

function released(feedback: DestinationFeedback, now: number): DestinationFeedback {
  const isSlowed = feedback.pacePerMinute !== null
  return {
    ...feedback,
    pause: null,
    pausedUntil: null,
    // A server that asks to slow down again soon has its next pause, which is longer.
    pauses: feedback.pause === "slow" ? feedback.pauses : 0,
    limitedSince: isSlowed ? feedback.limitedSince : null,
    connections: 1,
    successes: 0,
    raisedAt: now,
  }
}

/** None of the servers opens a session. */
export function afterAway(feedback: DestinationFeedback, reply: string, now: number): DestinationFeedback {
  const goesOn = feedback.pause === "away"
  const since = goesOn ? (feedback.limitedSince ?? now) : now
  const pauses = goesOn ? feedback.pauses : 0
  const minutes = now - since >= longAwayMs ? 60 : atMost(awayMin, pauses)
  return paused(feedback, { pause: "away", minutes, pauses: pauses + 1, since, reply, now })
}

type SignalReport = {
  signal: Signal
  reply: string
  /** When what was replied to began. */
  startedAt: number
  /** Connections that were open beside it, and mails that its connection had carried. */
  open: number
  mails: number
  /** Mails that were accepted in the last minute. */
  accepted: number
}

/** Many replies at once are one signal. */
export function afterSignal(feedback: DestinationFeedback, told: SignalReport, now: number): DestinationFeedback {
  const { signal, open, mails, startedAt } = told
  switch (signal.kind) {
    case "connections": {
      const most = Math.max(1, Math.min(open, feedback.connectionsMax ?? Infinity))
      return { ...feedback, connectionsMax: most, connections: Math.min(feedback.connections, most), raisedAt: now }
    }
    case "mails":
      return { ...feedback, mailsPerConnection: Math.max(1, mails - 1) }
    case "slow":
      return startedAt < feedback.signalAt ? feedback : afterSlow(feedback, told, now)
    case "block": {
      if (startedAt < feedback.signalAt) return feedback
      const since = feedback.pause === "block" ? (feedback.limitedSince ?? now) : now
      const { minutes = blockMinutes } = signal
      return paused(feedback, { ...told, pause: "block", minutes, pauses: feedback.pauses + 1, since, now })
    }
  }
}

/** Half of what it took in the last minute. One that does not even take one a minute is left alone for a while. */
function afterSlow(feedback: DestinationFeedback, { reply, accepted }: SignalReport, now: number): DestinationFeedback {
  const { pacePerMinute, pauses, pause } = feedback
  const since = feedback.limitedSince ?? now
  if (pause !== "slow" && (pacePerMinute === null || pacePerMinute > 1)) {
    const pace = Math.max(1, Math.min(pacePerMinute ?? Infinity, accepted) / 2)
    const fullPace = pacePerMinute === null ? Math.max(accepted, 1) : feedback.fullPace
    const slowed = { pacePerMinute: pace, fullPace, limitedSince: since, reply, connections: 1, successes: 0 }
    return { ...feedback, ...slowed, pause: null, pausedUntil: null, signalAt: now, raisedAt: now }
  }
  // If it took nothing at all, the pace was not what it minded: then nothing limits what follows the pause.
  const left = accepted === 0 ? null : 1
  const minutes = atMost(slowMin, pauses)
  return {
    ...paused(feedback, { pause: "slow", minutes, pauses: pauses + 1, since, reply, now }),
    pacePerMinute: left,
  }
}

type Pause = { pause: PauseKind; minutes: number; pauses: number; since: number; reply: string; now: number }

function paused(
  feedback: DestinationFeedback,
  { pause, minutes, pauses, since, reply, now }: Pause,
): DestinationFeedback {
  return {
    ...feedback,
    pause,
    pausedUntil: now + minutes * minuteMs,
    pauses,
    limitedSince: since,
    reply,
    connections: 1,
    successes: 0,
    signalAt: now,
    raisedAt: now,
  }
}

/** SendLimits are raised step by step while no signal comes. */
export function recovered(feedback: DestinationFeedback, limits: SendLimits, now: number): DestinationFeedback {
  if (feedback.pause !== null || now - feedback.raisedAt < raiseEveryMs) return feedback
  const steps = Math.floor((now - feedback.raisedAt) / raiseEveryMs)
  const pace = feedback.pacePerMinute === null ? null : feedback.pacePerMinute * raiseTimes ** steps
  const pacePerMinute = pace === null || pace > feedback.fullPace ? null : pace
  const most = feedback.connectionsMax === null ? null : feedback.connectionsMax + steps
  return {
    ...feedback,
    pacePerMinute,
    limitedSince: pacePerMinute === null ? null : feedback.limitedSince,
    connectionsMax: most === null || most >= limits.connections ? null : most,
    pauses: 0,
    raisedAt: feedback.raisedAt + steps * raiseEveryMs,
  }
}

function atMost(list: readonly number[], at: number): number {
  return list[Math.min(at, list.length - 1)] ?? 0
}
