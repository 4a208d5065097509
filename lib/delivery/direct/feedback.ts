import type { Provider } from "@/lib/delivery/direct/providers"
import { type BlockCause, blockCauses } from "@/lib/explanation/codes"
import type { DeliveryAttempt } from "@/lib/delivery/transports/attempt"
import { isAboutSender } from "@/lib/delivery/transports/classify"

/** What a reply says about how a destination wants to be sent to, whoever the mail is for. */
export type Signal =
  /** There are too many connections. */
  | { kind: "connections" }
  /** The connection has carried as many mails as it may. */
  | { kind: "mails" }
  | { kind: "slow" }
  /** Our address is refused. */
  | { kind: "block"; minutes?: number }

export type ServerReply = Pick<DeliveryAttempt, "text"> & {
  phase?: DeliveryAttempt["phase"] | undefined
  code?: number | undefined
  enhanced?: string | undefined
  /** Mails that the connection has carried, with this one; zero before the first. */
  mails: number
  /** Other connections to the destination that are open. */
  open: number
  replies?: Provider["replies"] | undefined
}

/**
 * Null where it says nothing about us: at RCPT nearly everything is about the recipient (a mailbox that is full or busy,
 * greylisting), and what is said of a message is about that message.
 */
export function signalOf(reply: ServerReply): Signal | null {
  const { phase = "connect", code, text, open } = reply
  if (code === undefined) return phase === "connect" && open > 0 && refused.test(text) ? { kind: "connections" } : null
  if (code < 400) return null
  const known = reply.replies?.find(({ says }) => says.test(`${reply.enhanced ?? ""} ${text}`))
  if (known?.signal === "slow") return { kind: "slow" }
  if (known) return { kind: "block", ...(known.minutes !== undefined && { minutes: known.minutes }) }
  if (isBeforeData(reply) && blockCause(`${reply.enhanced ?? ""} ${text}`)) return { kind: "block" }
  if (isAboutRecipient(reply)) return null
  if (code >= 500) return isBlock(reply) ? { kind: "block" } : null
  if (aboutConnections.test(text) && excess.test(text)) return ofConnections(reply)
  if (isSlowDown(reply)) return { kind: "slow" }
  return isBlock(reply) ? { kind: "block" } : null
}

const refused = /\bECONNREFUSED\b|\bECONNRESET\b/
const aboutConnections = /\b(?:connections?|concurren\w*|simultaneous\w*|sessions?)\b/i
const excess = /\b(?:too many|limit\w*|max\w*|exceed\w*|concurren\w*|simultaneous\w*|enough)\b/i
const rate =
  /\b(?:rate|throttl\w*|too (?:fast|quickly)|too many (?:e-?mails|mails|messages)|slow down|temporarily deferred|unusual (?:rate|volume)|unexpected volume|frequency|try again (?:more )?slowly)\b/i
const greylisting = /\bgr[ea]y[- ]?list\w*/i
const ofRecipient = /\b(?:mailbox|recipient|user|account|quota|inbox)\b/i
const blockWords =
  /\b(?:block\w*|black ?list\w*|deny ?list\w*|listed|banned|denied|refused|rejected|reputation|spamhaus|barracuda\w*|rbl|dnsbl)\b/i

/** Mails on a connection before this one: the server ends connections after so many. */
function ofConnections({ phase, mails, open }: ServerReply): Signal | null {
  const isInside = phase === "mail" || phase === "rcpt" || phase === "data" || phase === "final"
  if (isInside && mails > 1) return { kind: "mails" }
  if (open > 0) return { kind: "connections" }
  // Of a first mail on an only connection there cannot be fewer.
  return isInside ? { kind: "slow" } : null
}

function isSlowDown({ phase, code, enhanced = "", text }: ServerReply): boolean {
  if (enhanced === "4.7.28" || rate.test(text)) return true
  if (phase === "rcpt") return code === 421
  // Before MAIL another of its servers may take what a server that closes does not take.
  if (phase === "connect" || phase === "greeting" || phase === "ehlo" || phase === "starttls" || phase === "auth")
    return enhanced === "4.7.0"
  return code === 421 || enhanced === "4.7.0" || enhanced === "4.3.2" || enhanced === "4.4.5"
}

/** Until the message is sent, a refusal that names an address of a machine is about ours, unless it is about who sends. */
function isBlock(reply: ServerReply): boolean {
  const { text, enhanced = "" } = reply
  if (!isBeforeData(reply) || !namesMachine(text) || !blockWords.test(text)) return false
  return !isAboutSender({ enhanced, text })
}

/** Whether a text names an address of a machine. Those that it quotes are of the recipient's own servers. */
function namesMachine(text: string): boolean {
  return machine.test(text.slice(0, replyCharsRead).replace(quotedMachines, " "))
}

/** IPv4, or IPv6 with eight groups or a gap: a time such as 10:11:12 is none. */
const machine =
  /(?<![\w.:])(?:IPv6:)?(?:(?:\d{1,3}\.){3}\d{1,3}|(?:[\da-f]{1,4}:){7}[\da-f]{1,4}|(?=[\da-f:]{0,39}::)[\da-f:]{3,39})(?!\w)/i
/** As Postfix writes what the next server said, and which one it could not reach. */
const quotedMachines = /\bhost \S{1,255}\[[^\]]{1,50}\] (?:said|refused)\b|\bconnect to \S{1,255}\[[^\]]{1,50}\]/gi

function isBeforeData({ phase }: ServerReply): boolean {
  return phase !== "data" && phase !== "final"
}

const replyCharsRead = 2_000

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
const verification = /\bcall-?(?:out|back|ahead)s?\b|\bwhile verifying\b|\b(?:unverified|undeliverable) address\b/i

function isAboutRecipient({ phase, code = 0, text }: ServerReply): boolean {
  if (greylisting.test(text)) return true
  return phase === "rcpt" && code !== 421 && (ofRecipient.test(text) || verification.test(text)) && !namesMachine(text)
}

const askedMax = 3_600

/** Seconds until a server wants to be asked again, as a greylisting reply says; null where it does not. */
export function askedSeconds(text: string): number | null {
  const [, count, unit = ""] = /\b(?:in|after|for) (\d{1,5}) ?(s|sec|min|h)/i.exec(text) ?? []
  if (count === undefined) return null
  const seconds = Number(count) * (/^m/i.test(unit) ? 60 : /^h/i.test(unit) ? 3_600 : 1)
  return Math.min(askedMax, seconds + 10)
}

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

/** What others begin, a mail that was under way does not end. */
const endsByItself: ReadonlySet<PauseKind> = new Set<PauseKind>(["away", "slow", "block"])

/** A mail was accepted, or refused for its own sake: the destination takes mail. One more connection after as many as there are. */
export function afterSuccess(feedback: DestinationFeedback, limits: SendLimits, now: number): DestinationFeedback {
  const current = feedback.pause !== null && endsByItself.has(feedback.pause) ? released(feedback, now) : feedback
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
