import type { SmtpFailure } from "@/lib/delivery/smtp/reply"

/** How many connections a pool may have: fewer than it would open while the server allows fewer. */
type ConnectionLimit = {
  now(): number
  /**
   * A connection could not be opened while so many were open. True if that only lowers the limit: the server said that there
   * are too many connections, and has not said so before without serving any.
   */
  lowers(failure: SmtpFailure, open: number): boolean
  /** A connection was opened. */
  opened(): void
}

/** Connections that several pools share, and what they find out about them. */
export type SharedConnections = {
  /** Whose they are. */
  key: string
  /** Takes one; if there is none, `wake` is called once there may be. */
  enter(wake: () => void): boolean
  leave(): void
  inUse(): number
  /** More are in use than may be. */
  isOver(): boolean
  /** A session was opened. */
  opened(): void
  /** No session could be opened. */
  refused(failure: SmtpFailure): void
  /** Whether it only was one mail too many for a connection that had carried so many, with it. */
  isWorn(failure: SmtpFailure, mails: number): boolean
  /** Mails after which a connection is closed. */
  mailsMax(): number
}

/** Refusals within so long are one: of connections that were opened at the same time. */
const burstMs = 900
/** Without a refusal for so long, one more connection is tried. */
const raiseMs = 60_000

export function createConnectionLimit(most: number, now = () => performance.now()): ConnectionLimit {
  let limit = most
  let changedAt = 0
  let firstAt: number | undefined

  return {
    now() {
      if (limit < most && now() - changedAt >= raiseMs) {
        limit += 1
        changedAt = now()
      }
      return limit
    },
    lowers(failure, open) {
      if (!isAboutConnections(failure)) return false
      limit = Math.min(limit, Math.max(1, open))
      changedAt = now()
      firstAt ??= now()
      return now() - firstAt < burstMs
    },
    opened: () => void (firstAt = undefined),
  }
}

/** One connection too many says nothing about the server, of which other workers may have all connections. */
function isAboutConnections({ reply }: SmtpFailure): boolean {
  return (
    reply?.code === 421 &&
    /\b(?:connections?|concurren\w*|simultaneous\w*|sessions?)\b/i.test(reply.text) &&
    /\b(?:too many|limit\w*|max\w*|exceed\w*|concurren\w*|simultaneous\w*|rate)\b/i.test(reply.text)
  )
}

/** Tells from all connections of a pool whether the server accepts no further ones, or is unreachable. */
type Reachability = {
  /** Runs the opening of a connection. */
  opening<T>(open: () => Promise<T>): Promise<T>
  /** Runs the work over an open connection. */
  carrying<T>(work: () => Promise<T>): Promise<T>
  /** The server replied. */
  replied(): void
  /** A connection could not be opened: true if others may still serve the mail. */
  othersServe(): boolean
  /** Opens no further connection for a moment, although none is open. */
  pause(): void
  /** True while no further connections are opened. */
  isFull(): boolean
}

/** After a refused connection no further one is opened for so long while others are open. */
const pauseMs = 5_000
const shortPauseMs = 900
/** Open connections without a reply for so long do not prove that the server is reachable. */
const aliveMs = 10_000

export function createReachability(now = () => performance.now()): Reachability {
  let opening = 0
  let carrying = 0
  let repliedAt = -Infinity
  let refusedAt = -Infinity
  let pausedUntil = -Infinity

  const anyServes = () => opening > 0 || (carrying > 0 && now() - repliedAt < aliveMs)

  return {
    async opening(open) {
      opening += 1
      try {
        const opened = await open()
        repliedAt = now()
        return opened
      } finally {
        opening -= 1
      }
    },
    async carrying(work) {
      carrying += 1
      try {
        return await work()
      } finally {
        carrying -= 1
      }
    },
    replied: () => void (repliedAt = now()),
    othersServe() {
      refusedAt = now()
      return anyServes()
    },
    pause: () => void (pausedUntil = now() + shortPauseMs),
    isFull: () => now() < pausedUntil || (now() - refusedAt < pauseMs && anyServes()),
  }
}
