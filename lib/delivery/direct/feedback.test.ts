import fc from "fast-check"
import { describe, expect, it } from "vitest"
import {
  afterAway,
  afterOpening,
  afterSignal,
  afterSuccess,
  connectionsMost,
  type DestinationFeedback,
  newFeedback,
  paceOf,
  recovered,
} from "@/lib/delivery/direct/feedback"

const limits = { connections: 10, mailsPerConnection: 100 }
const minute = 60_000
const start = newFeedback(limits, 0)

const told = { reply: "421 slow down", startedAt: Infinity, open: 0, mails: 1, accepted: 0 }
const slow = (feedback: DestinationFeedback, now: number, fields: Partial<typeof told> = {}) =>
  afterSignal(feedback, { ...told, startedAt: now, ...fields, signal: { kind: "slow" } }, now)
const minutesOf = ({ pausedUntil }: DestinationFeedback, now: number): number => ((pausedUntil ?? NaN) - now) / minute

function times(
  count: number,
  step: (feedback: DestinationFeedback) => DestinationFeedback,
  from: DestinationFeedback,
): DestinationFeedback {
  return Array.from({ length: count }).reduce<DestinationFeedback>(step, from)
}

describe("connections", () => {
  it("begin at two, and there is one more after as many mails as there are, up to the limit", () => {
    const grown = (mails: number) => times(mails, (feedback) => afterSuccess(feedback, limits, 0), start).connections
    expect([0, 1, 2, 4, 5, 8, 9].map(grown)).toEqual([2, 2, 3, 3, 4, 4, 5])
    expect(grown(1_000)).toBe(10)
  })

  it("are as many as were open when the server refused one more, and one more every five minutes", () => {
    const full = times(1_000, (feedback) => afterSuccess(feedback, limits, 0), start)
    const refused = afterSignal(full, { ...told, open: 5, signal: { kind: "connections" } }, 0)
    expect([refused.connections, connectionsMost(refused, limits)]).toEqual([5, 5])
    const more = times(1_000, (feedback) => afterSuccess(feedback, limits, 0), refused)
    expect(more.connections).toBe(5)
    expect(connectionsMost(recovered(more, limits, 5 * minute), limits)).toBe(6)
    expect(recovered(more, limits, 25 * minute).connectionsMax).toBeNull()
  })

  it("end before the mail that the server did not take on one of them", () => {
    const ended = afterSignal(start, { ...told, mails: 21, signal: { kind: "mails" } }, 0)
    expect(ended.mailsPerConnection).toBe(20)
  })
})

describe("a destination that asks to slow down", () => {
  it("gets half of what it took in the last minute, over one connection; many replies at once are one", () => {
    const slowed = slow(start, 10, { accepted: 100 })
    expect(slowed).toMatchObject({
      pacePerMinute: 50,
      connections: 1,
      limitedSince: 10,
      reply: told.reply,
      pause: null,
    })
    expect(slow(slowed, 20, { startedAt: 5 })).toEqual(slowed)
    expect(slow(slowed, 2 * minute, { accepted: 40 }).pacePerMinute).toBe(20)
  })

  it("gets no more than the operator allows, nor than it bears", () => {
    const slowed = slow(start, 0, { accepted: 100 })
    const paces = [undefined, 30, 80].map((pacePerMinute) => paceOf(slowed, { ...limits, pacePerMinute }))
    expect(paces).toEqual([50, 30, 50])
    expect(paceOf(start, limits)).toBeNull()
    expect(paceOf(start, { ...limits, pacePerMinute: 80 })).toBe(80)
  })

  it("gets half as much again every five minutes, until that is no limit", () => {
    const slowed = slow(start, 0, { accepted: 100 })
    expect(recovered(slowed, limits, 5 * minute - 1)).toEqual(slowed)
    expect(recovered(slowed, limits, 5 * minute).pacePerMinute).toBe(75)
    expect(recovered(slowed, limits, 10 * minute)).toMatchObject({ pacePerMinute: null, limitedSince: null })
  })

  it("is left alone for 5, 10, 20, 40 and 60 minutes where it does not even take one a minute", () => {
    let feedback = slow(start, 0)
    expect(feedback).toMatchObject({ pacePerMinute: 1, pause: null })
    let now = minute
    const pauses = Array.from({ length: 6 }, () => {
      feedback = slow(feedback, now)
      const minutes = minutesOf(feedback, now)
      now += minutes * minute
      return minutes
    })
    expect(pauses).toEqual([5, 10, 20, 40, 60, 60])
    // It took nothing, so that it was not the pace that it minded.
    expect(afterSuccess(feedback, limits, now)).toMatchObject({ pause: null, pacePerMinute: null, connections: 2 })
    expect(recovered(afterSuccess(feedback, limits, now), limits, now + 5 * minute).pauses).toBe(0)
  })
})

describe("a destination that is away", () => {
  it("is asked after 1, 2, 4, 8 and 15 minutes, every 15 minutes, and after four hours hourly", () => {
    let feedback = start
    let now = 0
    const pauses = Array.from({ length: 24 }, () => {
      feedback = afterAway(feedback, "no answer", now)
      const minutes = minutesOf(feedback, now)
      now += minutes * minute
      return minutes
    })
    expect(pauses.slice(0, 7)).toEqual([1, 2, 4, 8, 15, 15, 15])
    expect(pauses.slice(-3)).toEqual([60, 60, 60])
    const before = pauses.slice(0, pauses.indexOf(60)).reduce((sum, one) => sum + one, 0)
    expect(before).toBe(4 * 60)
    expect(feedback.limitedSince).toBe(0)
  })

  it("is back with the first session, one connection at first", () => {
    const away = afterAway(start, "no answer", 0)
    expect(afterOpening(away, minute)).toMatchObject({ pause: null, pausedUntil: null, pauses: 0, connections: 1 })
  })
})

describe("a destination that refuses our address", () => {
  it("is left alone for an hour, or for as long as its provider's replies mean, and released by a mail that it takes", () => {
    const signal = { kind: "block" } as const
    const blocked = afterSignal(start, { ...told, signal }, 0)
    expect([blocked.pause, minutesOf(blocked, 0)]).toEqual(["block", 60])
    expect(minutesOf(afterSignal(start, { ...told, signal: { ...signal, minutes: 240 } }, 0), 0)).toBe(240)
    expect(afterOpening(blocked, minute).pause).toBe("block")
    expect(afterSuccess(blocked, limits, minute).pause).toBeNull()
  })
})

type Step = { kind: "ok" | "open" | "away" | "slow" | "block" | "connections" | "mails" | "rest"; value: number }

it("whatever a destination does, it has a connection, a pace of one a minute, and a pause that ends", () => {
  const steps = fc.array(
    fc.record<Step>({
      kind: fc.constantFrom("ok", "open", "away", "slow", "block", "connections", "mails", "rest"),
      value: fc.integer({ min: 0, max: 300 }),
    }),
    { maxLength: 60 },
  )
  fc.assert(
    fc.property(steps, fc.integer({ min: 1, max: 20 }), (all, connections) => {
      const own = { ...limits, connections }
      let feedback = newFeedback(own, 0)
      let now = 0
      for (const { kind, value } of all) {
        now += value * 1_000
        feedback = next(feedback, { kind, value })
        expect(feedback.connections).toBeGreaterThanOrEqual(1)
        expect(feedback.connections).toBeLessThanOrEqual(connections)
        expect(feedback.pacePerMinute ?? 1).toBeGreaterThanOrEqual(1)
        expect(feedback.mailsPerConnection ?? 1).toBeGreaterThanOrEqual(1)
        expect(feedback.pause === null).toBe(feedback.pausedUntil === null)
        if (feedback.pause) expect(feedback.limitedSince).not.toBeNull()
        // Twenty hours of rest with mail that is taken make it as it was.
        const rested = recovered(afterSuccess(afterOpening(feedback, now), own, now), own, now + 72_000_000)
        expect(rested).toMatchObject({ pause: null, pacePerMinute: null, connectionsMax: null, pauses: 0 })
      }

      function next(current: DestinationFeedback, { kind, value }: Step): DestinationFeedback {
        if (kind === "ok") return afterSuccess(current, own, now)
        if (kind === "open") return afterOpening(current, now)
        if (kind === "away") return afterAway(current, "no answer", now)
        if (kind === "rest") return recovered(current, own, now)
        const signal = { kind } as const
        return afterSignal(
          current,
          { ...told, signal, startedAt: now, open: value % 12, mails: value, accepted: value },
          now,
        )
      }
    }),
  )
})
