import { expect, it } from "vitest"
import { byType, createRateMeter, rateSeconds, scaleOf, totalOf } from "@/components/stream/rate"

const start = 1_790_000_000_000

it("a second is counted once, in its place, and dropped after two minutes", () => {
  const meter = createRateMeter()
  const read = (ms: number) => meter.read(start + ms).seconds.map(totalOf)
  meter.add(["sent", "sent", "opened"], start + 100)
  meter.add(["sent"], start + 900)
  meter.add(["bounced", "sent"], start + 1_000)
  expect(read(1_500).slice(-2)).toEqual([0, 4])
  expect(read(2_000).slice(-2)).toEqual([4, 2])
  expect(byType(meter.read(start + 2_000).seconds)).toEqual({ sent: 4, opened: 1, bounced: 1 })
  expect(meter.read(start + 2_000).until).toBe(start / 1000 + 2)
  expect(read(120_000)[0]).toBe(4)
  expect(read(121_000)[0]).toBe(2)
  expect(read(122_000).every((count) => count === 0)).toBe(true)
})

it("seconds of an hour ago never come back as new ones", () => {
  const meter = createRateMeter()
  for (let second = 0; second < 300; second++) meter.add(["sent"], start + second * 1000)
  expect(meter.read(start + 300_000).seconds.map(totalOf)).toEqual(new Array(rateSeconds).fill(1))
  expect(meter.read(start + 3_600_000).seconds.map(totalOf)).toEqual(new Array(rateSeconds).fill(0))
})

it("the scale is the next round step above the most", () => {
  expect([0, 10, 11, 51, 100, 4_000].map(scaleOf)).toEqual([10, 10, 50, 100, 100, 5_000])
})
