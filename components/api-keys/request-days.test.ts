import { expect, test } from "vitest"
import { requestsByDay } from "@/components/api-keys/request-table"

const now = Date.parse("2026-11-19T14:02:10Z")
const at = (...times: string[]) => times.map((ts) => ({ ts }))
const titles = (times: string[], zone = "UTC") =>
  requestsByDay(at(...times), zone, now).map(({ title, requests }) => `${title}: ${requests.length}`)

test("requests are listed under their days, each day once, today and yesterday by name", () => {
  expect(
    titles([
      "2026-11-19T14:02:09.412Z",
      "2026-11-19T00:00:00Z",
      "2026-11-18T23:59:59.999Z",
      "2026-11-16T10:00:00Z",
      "2025-12-31T10:00:00Z",
    ]),
  ).toEqual([
    "Today, Thursday 19 November: 2",
    "Yesterday, Wednesday 18 November: 1",
    "Monday 16 November: 1",
    "Wednesday, 31 December 2025: 1",
  ])
  expect(titles([])).toEqual([])
})

test("days are those of the reader's time zone", () => {
  expect(titles(["2026-11-18T23:30:00Z"], "Europe/Berlin")).toEqual(["Today, Thursday 19 November: 1"])
  expect(titles(["2026-11-19T04:00:00Z"], "America/New_York")).toEqual(["Yesterday, Wednesday 18 November: 1"])
})
