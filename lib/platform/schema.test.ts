import { expect, test } from "vitest"
import { z } from "zod"
import { timestamp } from "@/lib/platform/schema"

const read = (text: string) => {
  const { data, error } = timestamp.safeParse(text)
  return data?.toISOString() ?? error?.issues[0]?.message
}

test.each([
  ["2026-12-24T18:00:00Z", "2026-12-24T18:00:00.000Z"],
  ["2026-12-24t18:00:00z", "2026-12-24T18:00:00.000Z"],
  ["2026-12-24T18:00:00+0000", "2026-12-24T18:00:00.000Z"],
  ["2026-12-24T18:00:00.123456-0530", "2026-12-24T23:30:00.123Z"],
  ["2026-12-24T18:00Z", "2026-12-24T18:00:00.000Z"],
  ["2026-12-24T18:00+01:00", "2026-12-24T17:00:00.000Z"],
  ["2026-12-24T18:00:00-00:00", "2026-12-24T18:00:00.000Z"],
  ["2016-12-31T23:59:60Z", "2016-12-31T23:59:59.000Z"],
  ["2017-01-01T00:59:60+01:00", "2016-12-31T23:59:59.000Z"],
])("%s is the time %s", (text, time) => {
  expect(read(text)).toBe(time)
})

test.each([
  ...["2026-12-24T18:00:00", "2026-12-24", "2026-02-30T18:00:00Z", "2026-12-24T25:00Z", "2026-12-24T18:00:60Z"],
  ...["2026-12-24T18:00.5Z", "2026-12-24T18:00:00+24:00", "20261224T180000Z", "2026-12-24T18Z", "tomorrow", ""],
  ...[" 2026-12-24T18:00:00Z", "2026-12-24T18:00:00Z ", "2026-12-24T18:00:00 00:00", "+002026-12-24T18:00:00Z"],
])("%j is no time with an offset", (text) => {
  expect(read(text)).toBe("Must be an ISO 8601 time with its offset, such as 2026-12-24T18:00:00Z.")
})

test.each([
  ["0001-01-01T00:00:00Z", "0001-01-01T00:00:00.000Z"],
  ["9999-12-31T23:59:59.999Z", "9999-12-31T23:59:59.999Z"],
  ["9999-12-31T23:59:60Z", "9999-12-31T23:59:59.000Z"],
])("%s is in the first or the last year, as the time %s", (text, time) => {
  expect(read(text)).toBe(time)
})

test.each([
  ...[
    "0000-12-31T23:59:59Z",
    "0000-12-31T23:00:00-01:00",
    "0001-01-01T00:00:00+01:00",
    "0001-01-01T22:59:59.999+23:00",
  ],
  ...["9999-12-31T23:59:59-01:00"],
])("%s is beyond the years that are taken, whatever its text begins with", (text) => {
  expect(read(text)).toBe("Must be in the years 1 to 9999 (UTC).")
})

test("a time is written in UTC with milliseconds, whatever was read", () => {
  expect(z.encode(timestamp, z.decode(timestamp, "2026-12-24t18:00+0100"))).toBe("2026-12-24T17:00:00.000Z")
})
