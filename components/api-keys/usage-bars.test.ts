import { expect, test } from "vitest"
import { usageBarWords, longBar, shareWords, shortBar, usageBars, usageWindow } from "@/components/api-keys/usage-words"
import type { UsageSummary } from "@/components/api-keys/queries"

const days = (of: number) =>
  Array.from({ length: 30 }, (_, at) => ({
    day: new Date(Date.UTC(2026, 9, 22 + at)).toISOString().slice(0, 10),
    requests: of * at,
    refused: at === 29 ? 3 : 0,
  }))
const hours = (of: number) =>
  Array.from({ length: 24 }, (_, at) => ({
    hour: new Date(Date.UTC(2026, 10, 19, 15 + at)).toISOString(),
    requests: of,
    refused: 0,
  }))

const summary: UsageSummary = { days: days(1), hours: hours(2), requests: 435, refused: 3, permissions: [], unused: [] }

test("a period has a bar for each of its days or hours, without requests as well", () => {
  expect(usageBars(summary, "30d")).toHaveLength(30)
  expect(usageBars(summary, "7d")).toHaveLength(7)
  expect(usageBars(summary, "7d").at(-1)).toEqual({ at: "2026-11-20", requests: 29, refused: 3, shares: null })
  expect(usageBars(summary, "30d")[0]).toMatchObject({ at: "2026-10-22", requests: 0 })
  expect(
    usageBars(summary, "24h")
      .map(({ at }) => at)
      .at(-1),
  ).toBe("2026-11-20T14")
})

test("during a rotation a bar has the requests of both keys, whichever of them the page is about", () => {
  const side = { keyId: "key_1", start: "mr_live_7hTz", addresses: [] }
  const rotation = {
    startedAt: "2026-11-16T09:40:00.000Z",
    next: { ...side, days: days(1), hours: hours(2) },
    old: { ...side, days: days(10), hours: hours(5) },
  }
  for (const own of [rotation.next, rotation.old]) {
    const bars = usageBars({ ...summary, days: own.days, hours: own.hours, rotation }, "7d")
    expect(bars.at(-1)).toEqual({ at: "2026-11-20", requests: 319, refused: 6, shares: { next: 29, old: 290 } })
    expect(usageBars({ ...summary, ...own, rotation }, "24h")[0]).toMatchObject({
      requests: 7,
      shares: { next: 2, old: 5 },
    })
  }
})

test("a bar is named by its day or hour in UTC", () => {
  expect(shortBar("2026-11-17")).toBe("17 Nov")
  expect(shortBar("2026-11-17T09")).toBe("09:00")
  expect(longBar("2026-11-17")).toBe("Tuesday 17 November")
  expect(longBar("2026-11-17T23")).toBe("17 November, 23:00 to 00:00 UTC")
})

test("the words of a bar say what was refused, or which key made the requests", () => {
  const bar = { at: "2026-11-17", requests: 1_200, refused: 1, shares: null }
  expect(usageBarWords(bar, false)).toBe("Tuesday 17 November: 1,200 requests, 1 refused")
  expect(usageBarWords({ ...bar, requests: 1 }, true)).toBe("Tuesday 17 November, so far: 1 request, 1 refused")
  expect(usageBarWords({ ...bar, requests: 4_612, shares: { next: 4_012, old: 600 } }, false)).toBe(
    "Tuesday 17 November: 4,612 requests, 4,012 with the new key, 600 with the old key",
  )
})

test("the requests of a bar are those from its beginning to its last millisecond", () => {
  expect(usageWindow("2026-11-17")).toEqual({ after: "2026-11-17T00:00:00.000Z", before: "2026-11-17T23:59:59.999Z" })
  expect(usageWindow("2026-11-17T09")).toEqual({
    after: "2026-11-17T09:00:00.000Z",
    before: "2026-11-17T09:59:59.999Z",
  })
  for (const text of [null, "", "today", "2026-13-41", "2026-11-17T24", "2026-11-17T99", "2026-11-17T09:00"])
    expect(usageWindow(text)).toBeNull()
})

test("a share is given of a thousand, and of all where they are few", () => {
  expect(shareWords(0, 10)).toBe("none")
  expect(shareWords(0, 0)).toBe("none")
  expect(shareWords(3, 8)).toBe("3 of 8")
  expect(shareWords(3, 20)).toBe("150 in 1,000")
  expect(shareWords(214, 110_131)).toBe("2 in 1,000")
  expect(shareWords(1, 5_000)).toBe("less than 1 in 1,000")
})
