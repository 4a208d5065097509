import { describe, expect, it } from "vitest"
import { domainExample, withRecords } from "@/e2e/support/domains/sample-domain"
import { changesBetween, listPollMs, nextCheckWords, liveOutcome, pollMs } from "@/components/domains/progress"

const second = 1000
const minute = 60 * second

describe("polling", () => {
  it("is fast while records are waited for, but not for ever", () => {
    expect(pollMs("pending", 0)).toBe(2 * second)
    expect(pollMs("pending", 11 * minute)).toBe(15 * second)
    expect(pollMs("verified", 0)).toBe(15 * second)
  })

  it("of the list happens only while a domain is pending", () => {
    expect(listPollMs(["verified", "pending"])).toBe(5 * second)
    expect(listPollMs(["verified", "failed"])).toBe(false)
  })
})

it.each([
  [38 * second, "Next check in 38 s"],
  [99.2 * second, "Next check in 2 min"],
  [38 * minute, "Next check in 38 min"],
  [6 * 60 * minute, "Next check in 6 h"],
  [0, "Checking now"],
  [-5 * second, "Checking now"],
])("a check that is %i ms away reads %s", (distance, words) => {
  expect(nextCheckWords(distance, 0)).toBe(words)
})

describe("what is read aloud", () => {
  const before = domainExample()

  it("is what has turned good, by name", () => {
    expect(changesBetween(before, domainExample({ dkimStatus: "verified" }))).toEqual(["DKIM verified."])
  })

  it("says how much of a part is there", () => {
    expect(changesBetween(before, withRecords(before, { mailFromMx: { status: "verified" } }))).toEqual([
      "MAIL FROM: 1 of 2 found.",
    ])
  })

  it("ends with what the domain has become", () => {
    const after = domainExample({ status: "verified", dkimStatus: "verified", mailFromStatus: "verified" })
    expect(changesBetween(before, after)).toEqual([
      "DKIM verified.",
      "MAIL FROM verified.",
      "acme.com is verified. You can send from it.",
    ])
  })

  it("is nothing when nothing has changed", () => {
    expect(changesBetween(before, domainExample({ checkedAt: "2026-11-21T14:05:00.000Z" }))).toEqual([])
  })
})

it("the result of a check counts the required records", () => {
  const one = withRecords(domainExample(), { mailFromMx: { status: "verified" } })
  expect(liveOutcome(domainExample())).toBe("None of the 3 required records is in place yet. We keep checking.")
  expect(liveOutcome(one)).toBe("1 of the 3 required records is in place. We keep checking for the rest.")
  expect(liveOutcome({ ...one, dkimStatus: "verified" })).toBe(
    "2 of the 3 required records are in place. We keep checking for the rest.",
  )
  expect(liveOutcome(domainExample({ status: "verified" }))).toBe("All required records are in place.")
})
