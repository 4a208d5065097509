import { describe, expect, it } from "vitest"
import { relativeWords } from "@/components/ui/time-words"

const now = Date.UTC(2026, 0, 10, 12)
const second = 1000
const minute = 60 * second
const day = 24 * 60 * minute

describe("relativeWords", () => {
  it.each([
    [0, "just now"],
    [-12 * second, "just now"],
    [4 * second, "just now"],
    [15 * second, "in a few seconds"],
    [-40 * second, "40 seconds ago"],
    [-2 * minute, "2 minutes ago"],
    [-119 * minute, "1 hour ago"],
    [minute, "in 1 minute"],
    [-day, "yesterday"],
    [36 * 60 * minute, "tomorrow"],
    [3 * day, "in 3 days"],
    [-45 * day, "1 month ago"],
    [-800 * day, "2 years ago"],
    [400 * day, "in 1 year"],
  ])("says %i ms from now as %s", (distance, words) => {
    expect(relativeWords(now + distance, now)).toBe(words)
  })
})
