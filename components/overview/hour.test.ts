import { expect, it } from "vitest"
import { type EventCounts, hourStart, periodAfter } from "@/components/overview/live-card"
import { byType, totalOf } from "@/components/stream/rate"
import { hourBefore } from "@/lib/stream/rules"

const now = new Date("2026-11-24T14:33:07.000Z")
const counted: EventCounts = {
  since: hourBefore(now).toISOString(),
  until: now.toISOString(),
  last: "evt_03",
  data: [
    { at: "2026-11-24T13:34:00.000Z", type: "sent", count: 7 },
    { at: "2026-11-24T14:32:00.000Z", type: "sent", count: 1 },
    { at: "2026-11-24T14:32:00.000Z", type: "delivered", count: 2 },
  ],
}
const event = (id: string, type = "opened", occurredAt = "2026-11-24T14:33:08.500Z") => ({
  ...{ id, type, occurredAt },
  ...{ emailId: "email_01", data: {} },
})
const until = periodAfter(counted, 0)

it("30 bars of two minutes end with the one of now, whatever the reader's clock says", () => {
  const { bars, since } = hourStart(counted, [], until)
  expect(bars).toHaveLength(30)
  expect(bars[0]).toEqual({ sent: 7 })
  expect(bars[29]).toEqual({ sent: 1, delivered: 2 })
  expect(since).toBe(null)
  expect(periodAfter(counted, -5_000)).toEqual(until)
  expect(periodAfter(counted, 52_999)).toEqual(until)
  expect(periodAfter(counted, 53_000)).toBe(until + 1)
})

it("with time the oldest bar goes and an empty one comes", () => {
  const { bars } = hourStart(counted, [], until + 1)
  expect(bars).toHaveLength(30)
  expect(totalOf(bars[0] ?? {})).toBe(0)
  expect(bars[28]).toEqual({ sent: 1, delivered: 2 })
  expect(bars[29]).toEqual({})
})

it("events of the stream are added once: those after the last that was counted, when they occurred", () => {
  const events = [
    event("evt_05"),
    event("evt_03", "delivered"),
    event("evt_02"),
    event("evt_06", "clicked", "2026-11-24T14:20:00.000Z"),
    event("evt_07", "opened", "2026-11-24T12:00:00.000Z"),
  ]
  const { bars } = hourStart(counted, events, until)
  expect(bars[29]).toEqual({ sent: 1, delivered: 2, opened: 1 })
  expect(bars[23]).toEqual({ clicked: 1 })
})

it("if the stream has not carried that one, later ids are added, and all if nothing was counted", () => {
  const events = [event("evt_01"), event("evt_04"), event("evt_05")]
  expect(byType(hourStart(counted, events, until).bars).opened).toBe(2)
  expect(byType(hourStart({ ...counted, last: undefined, data: [] }, events, until).bars)).toEqual({ opened: 3 })
})

it("a busy project has the bars since its counts begin, until they cover the hour", () => {
  const busy = { ...counted, since: "2026-11-24T14:29:30.000Z" }
  expect(hourStart(busy, [], until)).toMatchObject({ bars: { length: 3 }, since: busy.since })
  expect(hourStart(busy, [], until + 27)).toMatchObject({ bars: { length: 30 }, since: busy.since })
  expect(hourStart(busy, [], until + 28)).toMatchObject({ bars: { length: 30 }, since: null })
})
