import { expect, test } from "vitest"
import { extensionsOf, leftWords, rotationWords } from "@/components/api-keys/usage-words"

const now = Date.parse("2026-11-19T14:02:10Z")
const side = (requests: number, lastUsedAt?: string, addresses: string[] = []) => ({
  days: [{ requests: 9_999 }, { requests }],
  addresses,
  lastUsedAt,
})
const next = side(2_287, "2026-11-19T14:02:09Z", ["203.0.113.40"])
const endsAt = "2026-11-23T09:40:00Z"

test("names the machine that still uses the old key, and the time that is left", () => {
  expect(rotationWords({ next, old: side(31, "2026-11-19T13:58:04Z", ["203.0.113.44"]), endsAt }, now, "UTC")).toEqual({
    sentence: "The old key still made 31 of today’s 2,318 requests, all from 203.0.113.44.",
    next: "It stops working in 3 days 19 hours. Put the new key on that machine before then.",
    isUnused: false,
  })
})

test("names two machines, and counts more", () => {
  const of = (requests: number, addresses: string[]) =>
    rotationWords({ next, old: side(requests, "2026-11-19T13:58:04Z", addresses) }, now, "UTC").sentence
  expect(of(31, ["203.0.113.44", "203.0.113.45"])).toContain(", from 203.0.113.44 and 203.0.113.45.")
  expect(of(31, ["203.0.113.44", "203.0.113.45", "203.0.113.46"])).toContain(
    ", from 203.0.113.44, 203.0.113.45 and 1 more.",
  )
  expect(of(1, [])).toBe("The old key still made 1 of today’s 2,288 requests.")
})

test("says only where the latest came from when not all addresses are known", () => {
  const { sentence } = rotationWords({ next, old: side(1_001, "2026-11-19T13:58:04Z", ["203.0.113.44"]) }, now, "UTC")
  expect(sentence).toBe("The old key still made 1,001 of today’s 3,288 requests, most recently from 203.0.113.44.")
})

test("says when it was last used, if that was yesterday but not a day ago", () => {
  const { sentence, isUnused } = rotationWords(
    { next, old: side(0, "2026-11-18T21:04:00Z", ["203.0.113.44"]), endsAt },
    now,
    "Asia/Tokyo",
  )
  expect(sentence).toBe("The old key was last used on 19 November, 06:04, from 203.0.113.44.")
  expect(isUnused).toBe(false)
})

test("says that the old key can be ended when nothing has used it for 24 hours", () => {
  expect(rotationWords({ next, old: side(0, "2026-11-18T14:02:09Z"), endsAt }, now, "UTC")).toEqual({
    sentence: "Nothing has used the old key since 18 November, 14:02 UTC.",
    next: "You can end it.",
    isUnused: true,
  })
  expect(rotationWords({ next, old: side(0), endsAt }, now, "UTC").sentence).toBe("Nothing has ever used the old key.")
})

test("gives what is left in its two largest units", () => {
  const minute = 60_000
  expect(leftWords(0)).toBe("1 minute")
  expect(leftWords(59 * minute)).toBe("59 minutes")
  expect(leftWords(61 * minute)).toBe("1 hour")
  expect(leftWords(24 * 60 * minute)).toBe("1 day")
  expect(leftWords(25 * 60 * minute)).toBe("1 day 1 hour")
})

test("an overlap can be extended to what is longer than it is, counted from the rotation, and to nothing without an end", () => {
  const startedAt = "2026-11-16T09:40:00Z"
  const hours = (endsAt?: string) => extensionsOf({ startedAt, endsAt }).map((one) => one.hours)
  expect(hours("2026-11-16T10:40:00Z")).toEqual([24, 168, 720])
  expect(hours("2026-11-17T09:40:00Z")).toEqual([168, 720])
  expect(hours("2026-12-16T09:40:00Z")).toEqual([])
  expect(hours()).toEqual([])
})
