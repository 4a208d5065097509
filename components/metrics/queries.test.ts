import { describe, expect, test } from "vitest"
import { daysShown, viewHref, periodQuery, periodWords, viewOf } from "@/components/metrics/queries"

const view = (search: string) => viewOf(new URLSearchParams(search))

describe("the address of the metrics page", () => {
  test("without parameters is 30 days of all domains, compared", () => {
    expect(view("")).toEqual({ window: "30d", from: "", to: "", domain: "", compare: true, timeZone: "UTC" })
    expect(viewHref(view(""))).toBe("")
  })

  test.each(["?window=7d", "?window=90d&domain=acme.test", "?from=2026-11-01&to=2026-11-09&compare=off"])(
    "%s is read and written the same",
    (search) => expect(viewHref(view(search))).toBe(search),
  )

  test.each([
    "window=1y",
    "from=2026-11-01",
    "from=2026-02-30&to=2026-03-01",
    "from=2026-11-09&to=2026-11-01",
    "from=2024-01-01&to=2026-01-01",
  ])("%s falls back to 30 days", (search) => expect(periodQuery(view(search))).toEqual({ window: "30d" }))

  test("the list of emails is opened with the days of the period, in the reader's zone", () => {
    const window = { from: "2026-10-29T16:00:00.000Z", to: "2026-11-28T16:20:00.000Z" }
    expect(daysShown(view(""), window)).toEqual({ since: "2026-10-29", until: "2026-11-28" })
    const inTokyo = viewOf(new URLSearchParams(), "Asia/Tokyo")
    expect(daysShown(inTokyo, window)).toEqual({ since: "2026-10-30", until: "2026-11-29" })
    const range = { from: "2026-10-31T15:00:00.000Z", to: "2026-11-09T15:00:00.000Z" }
    const chosen = viewOf(new URLSearchParams("from=2026-11-01&to=2026-11-09"), "Asia/Tokyo")
    expect(daysShown(chosen, range)).toEqual({ since: "2026-11-01", until: "2026-11-09" })
  })

  test("a range includes its last day", () => {
    const range = view("from=2026-11-01&to=2026-11-09")
    expect(periodQuery(range)).toEqual({ from: "2026-11-01T00:00:00.000Z", to: "2026-11-10T00:00:00.000Z" })
    expect(periodWords(range)).toBe("9 days")
  })
})
