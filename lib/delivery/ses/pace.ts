/** Before the account's own rate is known: that of one with production access. */
const usualPerSecond = 14
/** However slow: one a minute. */
const slowestPerSecond = 1 / 60
/** Each mail that is accepted raises a lowered rate by this part of the account's. */
const raisedBy = 1 / 50
/** Refusals within this time are one: they were on their way at the same rate. */
const sameRefusalMs = 1_000
const pauseMs = { first: 1_000, most: 60_000, daily: 5 * 60_000 }
/** Mails that would wait longer go back into the queue, for about that long. */
const waitMsMax = 30_000

/** How fast a region's mail is handed to its provider: its rate is that of the account, halved at each refusal. */
export type Pace = {
  /** Takes the next place; null if it is further away than mail waits here. */
  take(): PaceSlot | null
  /** The account's rate. */
  learned(perSecond: number): void
  accepted(): void
  /** Answers how many milliseconds nothing is sent. */
  refused(why: "rate" | "daily" | "errors"): number
  /** Milliseconds after which mail that did not wait here is tried again. */
  later(random: number): number
}

/** After so many milliseconds a mail may be sent, if nothing was refused meanwhile: then it takes another place. */
export type PaceSlot = { waitMs: number; isCurrent(): boolean }

/** @param now milliseconds that only grow */
export function createPace(now: () => number): Pace {
  let most = usualPerSecond
  let perSecond = most
  let nextAt = 0
  let pausedUntil = 0
  let pause = pauseMs.first
  let refusedAt = -Infinity
  let refusals = 0

  return {
    take() {
      const at = Math.max(now(), nextAt, pausedUntil)
      if (at - now() > waitMsMax) return null
      nextAt = at + 1_000 / perSecond
      const before = refusals
      return { waitMs: at - now(), isCurrent: () => refusals === before }
    },
    learned(given) {
      if (given <= 0) return
      if (perSecond === most || perSecond > given) perSecond = given
      most = given
    },
    accepted() {
      pause = pauseMs.first
      perSecond = Math.min(most, perSecond + most * raisedBy)
    },
    refused(why) {
      if (now() - refusedAt >= sameRefusalMs) {
        refusedAt = now()
        if (why === "rate") perSecond = Math.max(slowestPerSecond, perSecond / 2)
        pausedUntil = now() + (why === "daily" ? pauseMs.daily : pause)
        pause = Math.min(pauseMs.most, pause * 2)
        nextAt = pausedUntil
        refusals += 1
      }
      return Math.max(0, pausedUntil - now())
    },
    later: (random) => Math.max(pausedUntil - now(), waitMsMax) * (1 + random),
  }
}
