import { describe, expect, test } from "vitest"
import { dayIn, midnightOf, utc } from "@/components/data/day-filters"
import { emailListQuery } from "@/components/emails/filters"
import { requestsQuery } from "@/components/logs/queries"

/** November as the reader's calendar has it; in Los Angeles it begins in summer time and ends in winter time. */
const november = { since: "2026-11-01", until: "2026-11-30" }

describe.each([
  ["Asia/Tokyo", "2026-10-31T15:00:00.000Z", "2026-11-30T15:00:00.000Z"],
  ["America/Los_Angeles", "2026-11-01T07:00:00.000Z", "2026-12-01T08:00:00.000Z"],
  [utc, "2026-11-01T00:00:00.000Z", "2026-12-01T00:00:00.000Z"],
])("a month of %s", (timeZone, begin, end) => {
  test("is from its first midnight there to the one after its last day, in the email log", () => {
    const filters = { ...{ page: 1, status: [], search: "", domain: "", topic: "", broadcast: "", tag: "" }, peek: "" }
    expect(emailListQuery({ ...filters, ...november }, timeZone)).toMatchObject({ after: begin, before: end })
  })

  test("ends with the millisecond before that midnight in the request log, whose windows include both ends", () => {
    const filters = { key: "", method: null, route: "", status: null, made: "", after: "" }
    const { queryKey } = requestsQuery("proj_1", { ...filters, ...november }, timeZone)
    const to = new Date(Date.parse(end) - 1).toISOString()
    expect(queryKey).toContainEqual(expect.objectContaining({ query: { size: 50, from: begin, to } }))
  })

  test("has a first day that begins, and a last day that ends, in it", () => {
    expect(dayIn(timeZone, new Date(begin))).toBe("2026-11-01")
    expect(dayIn(timeZone, new Date(Date.parse(end) - 1))).toBe("2026-11-30")
    expect(midnightOf("2026-11-30", timeZone, 1)).toBe(end)
  })
})

test("a day whose midnight the clocks skip begins at one, and one that has it twice begins at the first", () => {
  expect(midnightOf("2026-09-06", "America/Santiago")).toBe("2026-09-06T04:00:00.000Z")
  expect(midnightOf("2026-03-29", "Asia/Beirut")).toBe("2026-03-28T22:00:00.000Z")
  expect(midnightOf("2026-11-01", "America/Havana")).toBe("2026-11-01T04:00:00.000Z")
})
