import { expect, it } from "vitest"
import { byDay, dayWords } from "@/components/emails/email-rows"

it("emails are divided where a day of UTC begins, in the order in which they came", () => {
  const times = ["2026-11-24T10:00:00.000Z", "2026-11-24T00:00:00.000Z", "2026-11-23T23:59:59.999Z"]
  const days = byDay(
    times.map((createdAt) => ({ createdAt })),
    false,
  )
  expect(days.map(({ start, end, items }) => [start, end, items.length])).toEqual([
    ["2026-11-24T00:00:00.000Z", "2026-11-25T00:00:00.000Z", 2],
    ["2026-11-23T00:00:00.000Z", "2026-11-24T00:00:00.000Z", 1],
  ])
})

it("a day is called by its distance, then by its weekday, and has its year only where it is another", () => {
  const now = new Date("2026-11-24T14:00:00Z")
  const words = (day: string) => dayWords(`${day}T00:00:00.000Z`, now, false)
  expect(words("2026-11-24")).toEqual({ name: "Today", date: "Tuesday 24 November" })
  expect(words("2026-11-23")).toEqual({ name: "Yesterday", date: "Monday 23 November" })
  expect(words("2026-11-22")).toEqual({ name: "Sunday", date: "22 November" })
  expect(words("2025-12-31")).toEqual({ name: "Wednesday", date: "31 December 2025" })
})
