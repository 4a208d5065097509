import { describe, expect, test } from "vitest"
import { viewHref, periodQuery, periodWords, viewOf } from "@/components/metrics/view"

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

  test("a range includes its last day", () => {
    const range = view("from=2026-11-01&to=2026-11-09")
    expect(periodQuery(range)).toEqual({ from: "2026-11-01T00:00:00.000Z", to: "2026-11-10T00:00:00.000Z" })
    expect(periodWords(range)).toBe("9 days")
  })
})
