import fc from "fast-check"
import { describe, expect, test } from "vitest"
import {
  type BroadcastStatus,
  broadcastStatuses,
  broadcastSteps,
  decide,
  exclusionReasons,
  heldMax,
  judgedFrom,
  type Load,
  nextStatus,
  roomOf,
  statusesFor,
  stopReason,
} from "@/lib/broadcasts/rules"

describe("the status of a broadcast", () => {
  const steps = fc.array(fc.constantFrom(...broadcastSteps), { maxLength: 40 })

  /** The statuses that a series of steps leads through; what is not allowed changes nothing. */
  function walk(from: BroadcastStatus, series: readonly (typeof broadcastSteps)[number][]) {
    const through: { step: string; status: string }[] = []
    let status: BroadcastStatus | "deleted" = from
    for (const step of series) {
      if (status === "deleted") break
      const next: BroadcastStatus | "deleted" | null = nextStatus(status, step)
      if (next === null) continue
      status = next
      through.push({ step, status })
    }
    return through
  }

  test("never changes once it is sent or cancelled", () => {
    fc.assert(
      fc.property(fc.constantFrom("sent" as const, "cancelled" as const), steps, (end, series) => {
        expect(walk(end, series)).toEqual([])
      }),
    )
  })

  test("is deleted from a draft alone, and edited before anybody was written to", () => {
    expect(statusesFor("delete")).toEqual(["draft"])
    expect(statusesFor("edit")).toEqual(["draft", "scheduled"])
    fc.assert(
      fc.property(steps, (series) => {
        const begun = walk("draft", series).findIndex(({ status }) => status === "sending")
        const after = begun === -1 ? [] : walk("draft", series).slice(begun)
        for (const { step, status } of after) {
          expect(["edit", "schedule", "unschedule", "delete"]).not.toContain(step)
          expect(["draft", "scheduled", "deleted"]).not.toContain(status)
        }
      }),
    )
  })

  test("is sent only after it was sending, and people can always end what has begun", () => {
    fc.assert(
      fc.property(steps, (series) => {
        const through = walk("draft", series)
        for (const [at, { status }] of through.entries()) {
          if (status === "sent") expect(through[at - 1]?.status).toBe("sending")
        }
      }),
    )
    for (const status of ["scheduled", "preparing", "sending", "paused"] as const)
      expect(nextStatus(status, "cancel")).toBe("cancelled")
  })

  test("has only steps to statuses that exist", () => {
    for (const status of broadcastStatuses)
      for (const step of broadcastSteps)
        expect([...broadcastStatuses, "deleted", null]).toContain(nextStatus(status, step))
  })
})

describe("what becomes of a member", () => {
  const found = fc.record({
    excluded: fc.constantFrom("unsubscribed", "suppressed", "topicOptOut", null),
    admitted: fc.constantFrom("queued", "test", "suppressed", null),
    earlier: fc.boolean(),
  })

  test("nobody who has the email gets it again, nobody who is out gets it, and each is counted in one place", () => {
    fc.assert(
      fc.property(found, (member) => {
        const decision = decide(member)
        if (member.admitted !== null) expect(decision).not.toBe("send")
        if (member.excluded !== null) expect(decision).not.toBe("send")
        if (member.earlier && decision !== "send") expect(decision).toBe("skip")
        if (member.admitted === null && member.excluded === null) expect(decision).toBe("send")
      }),
    )
  })

  test("whose email was accepted right before a worker died is counted as accepted", () => {
    expect(decide({ excluded: "unsubscribed", admitted: "queued", earlier: false })).toBe("accepted")
    expect(decide({ excluded: null, admitted: "suppressed", earlier: false })).toBe("suppressed")
  })

  test("has a reason that the counts know", () => {
    fc.assert(
      fc.property(found, (member) => {
        expect([...exclusionReasons, "send", "skip", "accepted"]).toContain(decide(member))
      }),
    )
  })
})

describe("the pace", () => {
  const idle: Load = { rate: 14, tokens: 280, burst: 280, queued: 0, held: 0, othersWait: false, active: 1 }
  const load = fc.record({
    rate: fc.integer({ min: 1, max: 1_000 }),
    tokens: fc.double({ min: 0, max: 20_000, noNaN: true }),
    burst: fc.integer({ min: 100, max: 20_000 }),
    queued: fc.integer({ min: 0, max: 5_000 }),
    held: fc.integer({ min: 0, max: heldMax }),
    othersWait: fc.boolean(),
    active: fc.integer({ min: 1, max: 10 }),
  })

  test("leaves half of the bucket to others, and its own queue short", () => {
    fc.assert(
      fc.property(load, fc.nat(10_000), (given, since) => {
        const room = roomOf(given, since)
        expect(room).toBeGreaterThanOrEqual(0)
        if (room > 0) {
          expect(given.tokens - room).toBeGreaterThanOrEqual(given.burst / 2)
          expect(given.queued + room).toBeLessThanOrEqual(Math.max(10, 2 * given.rate))
          expect(given.held + room).toBeLessThanOrEqual(heldMax)
        }
      }),
    )
  })

  test("takes at most half of the rate while other email waits, however many broadcasts there are", () => {
    fc.assert(
      fc.property(fc.integer({ min: 2, max: 1_000 }), fc.integer({ min: 1, max: 10 }), (rate, active) => {
        const given = { ...idle, rate, active, tokens: 1e6, burst: 100, othersWait: true }
        const steps = 100
        let [taken, since] = [0, 0]
        for (let step = 0; step < steps; step++) {
          since += 250
          const room = roomOf(given, since)
          if (room > 0) [taken, since] = [taken + room, 0]
        }
        // A second's share may be taken at once.
        expect(taken * active).toBeLessThanOrEqual((rate / 2) * (steps / 4) + Math.max(active, rate / 2))
      }),
    )
  })

  test("goes on at the lowest rate", () => {
    const slow = { ...idle, rate: 1, tokens: 100, burst: 100, othersWait: true }
    expect(roomOf(slow, 1_000)).toBe(0)
    expect(roomOf(slow, 2_000)).toBe(1)
    expect(roomOf(slow, 3_600_000)).toBe(1)
  })

  test("fills a short queue while nothing else waits, and waits while it is full", () => {
    expect(roomOf(idle, 0)).toBe(28)
    expect(roomOf({ ...idle, queued: 28 }, 60_000)).toBe(0)
    expect(roomOf({ ...idle, tokens: 140 }, 60_000)).toBe(0)
  })
})

describe("a broadcast stops itself", () => {
  const good = { sent: judgedFrom, bounced: 0, delivered: judgedFrom, complained: 0 }

  test("above 5 % bounces or 0.3 % complaints, not at them", () => {
    expect(stopReason({ ...good, bounced: 25 })).toBeNull()
    expect(stopReason({ ...good, bounced: 26 })).toBe("bounces")
    expect(stopReason({ ...good, sent: 1_100, delivered: 1_000, complained: 3 })).toBeNull()
    expect(stopReason({ ...good, sent: 1_100, delivered: 1_000, complained: 4 })).toBe("complaints")
  })

  test("never before 500 emails", () => {
    expect(stopReason({ sent: 499, bounced: 499, delivered: 0, complained: 0 })).toBeNull()
    expect(stopReason({ sent: 500, bounced: 500, delivered: 0, complained: 0 })).toBe("bounces")
  })
})
