import { describe, expect, test } from "vitest"
import {
  axisText,
  barsOf,
  barText,
  labelled,
  stackOf,
  axisOf,
  sentWeekBefore,
  shownSeries,
  weekBefore,
  type MetricsTimeline,
} from "@/components/metrics/chart"

const sentIn = (...of: [bucket: string, sent: number][]) => ({
  buckets: of.map(
    ([bucket, sent]) => ({ bucket, sent, delivered: sent, bounced: 0 }) as MetricsTimeline["buckets"][number],
  ),
})

describe("the volume chart", () => {
  test("gives each recipient one status, so that the parts add up to what was sent", () => {
    const parts = stackOf({ sent: 100, delivered: 90, deferred: 12, bounced: 4 })
    expect(parts).toEqual({ first: 78, deferred: 12, bounced: 4, unreported: 0, awaited: 0, other: 6 })
    const partly = { sent: 100, delivered: 50, deferred: 0, bounced: 4, deliveryNotReported: 40 }
    expect(stackOf(partly)).toEqual({ first: 50, deferred: 0, bounced: 4, unreported: 40, awaited: 0, other: 6 })
    expect(shownSeries(stackOf(partly)).map(({ label }) => label)).toContain("Sent, delivery not reported")
    expect(shownSeries(parts).map(({ label }) => label)).not.toContain("Sent, delivery not reported")
    const soon = { sent: 100, delivered: 50, deferred: 0, bounced: 4, awaitingReport: 40 }
    expect(stackOf(soon)).toEqual({ first: 50, deferred: 0, bounced: 4, unreported: 0, awaited: 40, other: 6 })
    // Counted by a release before this one: delivered today, sent yesterday.
    const none = { first: 3, deferred: 0, bounced: 0, unreported: 0, awaited: 0, other: 0 }
    expect(stackOf({ sent: 0, delivered: 3, bounced: 0, deliveryNotReported: 3 })).toEqual(none)
  })

  test("does not say that nothing was delivered where nobody reports it", () => {
    const labels = (counts: Parameters<typeof stackOf>[0]) => shownSeries(stackOf(counts)).map(({ label }) => label)
    expect(labels({ sent: 9, delivered: 0, bounced: 1, deliveryNotReported: 8 })).toEqual([
      "Hard bounces",
      "Sent, delivery not reported",
    ])
    expect(labels({ sent: 9, delivered: 4, bounced: 1, deliveryNotReported: 4 })).toEqual([
      "Delivered",
      "Hard bounces",
      "Sent, delivery not reported",
    ])
    expect(labels({ sent: 0, delivered: 0, bounced: 0 })).toEqual(["Delivered", "Deferred", "Hard bounces"])
  })

  test.each([
    [0, [0, 1]],
    [3, [0, 1, 2, 3]],
    [694, [0, 200, 400, 600, 800]],
    [980, [0, 250, 500, 750, 1_000]],
    [20_003, [0, 10_000, 20_000, 30_000]],
  ])("scales %i by round steps", (largest, lines) => {
    expect(axisOf(largest).lines).toEqual(lines)
  })

  test("labels some six bars, the last always", () => {
    expect([...labelled(31)]).toEqual([0, 6, 12, 18, 24, 30])
    expect(labelled(1)).toEqual(new Set([0]))
  })

  test("compares a day with the same weekday a week before, also over a change of months", () => {
    const earlier = sentWeekBefore(
      sentIn(["2026-11-04T00:00:00.000Z", 9], ["2026-11-05T00:00:00.000Z", 9]),
      sentIn(["2026-10-28T00:00:00.000Z", 812]),
      "UTC",
    )
    expect(earlier).toEqual(new Map([["2026-11-04T00:00:00.000Z", 812]]))
    expect(weekBefore("2026-11-04T14:00:00.000Z", "UTC")).toBe("2026-10-28T14:00:00.000Z")
    // The page is drawn before its timeline is read.
    expect(weekBefore("", "UTC")).toBe("")
  })

  test("compares a day with the same weekday a week before where the clocks changed between them", () => {
    const now = sentIn(["2026-03-28T23:00:00.000Z", 9], ["2026-03-29T22:00:00.000Z", 9])
    const before = sentIn(["2026-03-21T23:00:00.000Z", 70], ["2026-03-22T23:00:00.000Z", 80])
    expect([...sentWeekBefore(now, before, "Europe/Berlin").values()]).toEqual([70, 80])
    // 15:00 on both days.
    expect(weekBefore("2026-03-30T13:00:00.000Z", "Europe/Berlin")).toBe("2026-03-23T14:00:00.000Z")
    expect(weekBefore("2026-10-26T14:00:00.000Z", "Europe/Berlin")).toBe("2026-10-19T13:00:00.000Z")
  })

  test("says of what it shows only a part from when and until when that is", () => {
    const day = (bucket: string) => ({ bucket, sent: 4, delivered: 4, bounced: 0 })
    const days = ["2026-11-20T00:00:00.000Z", "2026-11-21T00:00:00.000Z", "2026-11-22T00:00:00.000Z"].map(day)
    const window = { label: "custom", from: "2026-11-20T10:00:00.000Z", to: "2026-11-22T12:20:30.000Z" }
    const bars = barsOf({ buckets: days, granularity: "day", window } as unknown as MetricsTimeline, "UTC")
    expect(bars.map((bar) => barText(bar, "day", "UTC"))).toEqual([
      "Fri 20 November, from 10:00 UTC",
      "Sat 21 November",
      "Sun 22 November, until 12:20 UTC",
    ])
    const whole = { ...window, from: "2026-11-20T00:00:00.000Z", to: "2026-11-23T00:00:00.000Z" }
    const all = barsOf({ buckets: days, granularity: "day", window: whole } as unknown as MetricsTimeline, "UTC")
    expect(all.map(({ cut }) => cut)).toEqual([null, null, null])
  })

  test.each([
    ["23", "2026-03-28T23:00:00.000Z", "2026-03-29T22:00:00.000Z", "2026-03-29T10:30:00.000Z"],
    ["25", "2026-10-24T22:00:00.000Z", "2026-10-25T23:00:00.000Z", "2026-10-25T10:30:00.000Z"],
  ])("a day of %s hours is whole when it is over, and half of it foretells the whole", (_, begin, end, half) => {
    const barUntil = (to: string) => {
      const timeline = { ...sentIn([begin, 100]), granularity: "day", window: { label: "custom", from: begin, to } }
      return barsOf(timeline as unknown as MetricsTimeline, "Europe/Berlin")[0]
    }
    expect(barUntil(end)).toMatchObject({ cut: null, forecast: null })
    expect(barUntil(half)).toMatchObject({ cut: { until: half }, forecast: 200 })
  })

  test("names the zone of an hour, and the day in that zone", () => {
    expect(axisText("2026-11-11T00:00:00.000Z", "day", "UTC")).toBe("11 Nov")
    expect(barText({ at: "2026-11-11T23:00:00.000Z", cut: null }, "hour", "UTC")).toBe("Wed 11 November, 23:00 UTC")
    expect(axisText("2026-11-11T15:00:00.000Z", "day", "Asia/Tokyo")).toBe("12 Nov")
    expect(barText({ at: "2026-11-11T23:00:00.000Z", cut: null }, "hour", "Asia/Tokyo")).toBe(
      "Thu 12 November, 08:00 Asia/Tokyo",
    )
  })
})
