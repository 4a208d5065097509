import { expect, test } from "vitest"
import { bucketsOf } from "@/lib/metrics/rules"
import { isTimeZone, zonedDays } from "@/lib/metrics/zone-rules"
import { hourMs } from "@/lib/platform/time"

const range = (from: string, to: string) => ({ from: new Date(from), to: new Date(to) })
const shown = (timeZone: string, from: string, to: string) =>
  zonedDays(range(from, to), timeZone).map(
    ({ bucket, hours }) => `${bucket.toISOString().slice(0, 13)} ${hours.length}`,
  )

test("days begin at midnight of the zone, the first where the range may begin later", () => {
  expect(shown("Asia/Tokyo", "2026-11-20T10:00:00Z", "2026-11-22T01:30:00Z")).toEqual([
    "2026-11-19T15 5",
    "2026-11-20T15 24",
    "2026-11-21T15 11",
  ])
})

test("the days on which clocks change have 23 and 25 hours", () => {
  expect(shown("Europe/Berlin", "2026-03-28T23:00:00Z", "2026-03-30T22:00:00Z")).toEqual([
    "2026-03-28T23 23",
    "2026-03-29T22 24",
  ])
  expect(shown("Europe/Berlin", "2026-10-24T22:00:00Z", "2026-10-25T23:00:00Z")).toEqual(["2026-10-24T22 25"])
})

test("in a zone of half hours an hour is of the day in which it begins", () => {
  expect(shown("Asia/Kolkata", "2026-11-20T18:00:00Z", "2026-11-20T20:00:00Z")).toEqual([
    "2026-11-19T19 1",
    "2026-11-20T19 1",
  ])
})

test("in a zone of half hours the hour of the day before, with which the range begins, is left out", () => {
  const asked = new Date("2026-11-20T18:30:00Z")
  const days = zonedDays(range("2026-11-20T18:00:00Z", "2026-11-22T19:00:00Z"), "Asia/Kolkata", asked)
  expect(days.map(({ bucket, hours }) => [bucket.toISOString(), hours.length])).toEqual([
    ["2026-11-20T19:00:00.000Z", 24],
    ["2026-11-21T19:00:00.000Z", 24],
  ])
  // A day that has just begun has nothing else yet.
  expect(zonedDays(range("2026-11-20T18:00:00Z", "2026-11-20T18:40:00Z"), "Asia/Kolkata", asked)).toHaveLength(1)
})

test("each hour of a range is in one day, whatever the zone", () => {
  const year = range("2026-01-01T05:00:00Z", "2026-12-31T07:20:00Z")
  const hours = bucketsOf(year, "hour").map(Number)
  for (const timeZone of ["UTC", "Europe/Berlin", "America/St_Johns", "Australia/Lord_Howe", "Pacific/Apia"]) {
    const days = zonedDays(year, timeZone)
    expect(
      days.flatMap((day) => day.hours.map(Number)),
      timeZone,
    ).toEqual(hours)
    for (const { bucket, hours: own } of days)
      expect(Number(own[0]) - bucket.getTime(), timeZone).toBeLessThan(25 * hourMs)
  }
})

test("a zone has a name of the IANA database", () => {
  expect(["UTC", "Europe/Berlin", "Asia/Kolkata"].map(isTimeZone)).toEqual([true, true, true])
  expect(["", "Berlin", "Europe/Atlantis", "x".repeat(64)].map(isTimeZone)).toEqual([false, false, false, false])
})
