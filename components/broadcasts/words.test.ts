import { expect, it } from "vitest"
import { acceptedSoFar, leftOut, progressOf, sentTo, standstill } from "@/components/broadcasts/words"
import type { Broadcast } from "@/components/broadcasts/queries"

const counts = {
  recipients: 1_242,
  accepted: 1_204,
  excluded: { unsubscribed: 31, suppressed: 7, topicOptOut: 0, left: 0 },
  ...{ sent: 0, delivered: 0, bounced: 0, complained: 0, opened: 0, clicked: 0, unsubscribed: 0, failed: 0 },
}

it("who is left out is counted by reason, and nobody is not mentioned", () => {
  expect(leftOut({ counts })).toBe("38 were excluded: 31 unsubscribed, 7 suppressed.")
  expect(leftOut({ counts: { ...counts, excluded: { ...counts.excluded, unsubscribed: 0, suppressed: 0 } } })).toBe("")
})

it("what a cancellation does not take back is counted in words", () => {
  expect(acceptedSoFar({ accepted: 0 })).toBe("No email has been accepted yet.")
  expect(acceptedSoFar({ accepted: 1 })).toBe("1 email already accepted is still sent.")
  expect(acceptedSoFar({ accepted: 1_204 })).toBe("1,204 emails already accepted are still sent.")
})

it("progress counts those who were left out, and never passes the whole", () => {
  expect(progressOf({ counts })).toEqual({ done: 1_242, of: 1_242 })
  expect(progressOf({ counts: { ...counts, accepted: 9_000 } })).toEqual({ done: 1_242, of: 1_242 })
  expect(progressOf({ counts: { ...counts, recipients: undefined } })).toBeNull()
})

it("a broadcast that is sent counts its emails and those it excluded apart, and before that all of its recipients", () => {
  expect(sentTo({ status: "sent", counts })).toBe("1,204 (38 excluded)")
  const nobody = { unsubscribed: 0, suppressed: 0, topicOptOut: 0, left: 0 }
  expect(sentTo({ status: "sent", counts: { ...counts, excluded: nobody } })).toBe("1,204")
  expect(sentTo({ status: "sending", counts: { ...counts, accepted: 120 } })).toBe("120 of 1,242")
  expect(sentTo({ status: "draft", counts: { ...counts, accepted: 0, recipients: undefined } })).toBe("0")
})

it("a broadcast that stands still says why, and one that goes on says nothing", () => {
  const of = (part: Partial<Broadcast>) => standstill({ status: "sending", ...part } as Broadcast)
  expect(of({ status: "paused", pausedReason: "bounces" })).toMatch(/5% of its emails bounced/)
  expect(of({ status: "paused", pausedReason: "schedule_missed" })).toMatch(/72 hours before it could begin/)
  expect(of({ waiting: { reason: "daily_quota" } })).toMatch(/quota/)
  expect(of({ waiting: { reason: "delivery_held" } })).toMatch(/mail servers that accept little or none/)
  expect(of({})).toBeNull()
})
