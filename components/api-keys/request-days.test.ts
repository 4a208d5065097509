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

test("yesterday is the day before, also where the clocks have changed since", () => {
  const named = (moment: string, times: string[]) =>
    requestsByDay(at(...times), "Europe/Berlin", Date.parse(moment)).map(({ title }) => title)
  // 23:30 of a day of 25 hours, and 00:30 after one of 23.
  expect(named("2026-10-25T22:30:00Z", ["2026-10-25T10:00:00Z", "2026-10-24T10:00:00Z"])).toEqual([
    "Today, Sunday 25 October",
    "Yesterday, Saturday 24 October",
  ])
  expect(named("2026-03-29T22:30:00Z", ["2026-03-29T10:00:00Z", "2026-03-28T10:00:00Z"])).toEqual([
    "Yesterday, Sunday 29 March",
    "Saturday 28 March",
  ])
})

test("days are those of the reader's time zone", () => {
  expect(titles(["2026-11-18T23:30:00Z"], "Europe/Berlin")).toEqual(["Today, Thursday 19 November: 1"])
  expect(titles(["2026-11-19T04:00:00Z"], "America/New_York")).toEqual(["Yesterday, Wednesday 18 November: 1"])
})
