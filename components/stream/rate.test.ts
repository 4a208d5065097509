import { expect, it } from "vitest"
import { createRateMeter, rateSeconds } from "@/components/stream/rate"

const start = 1_790_000_000_000

it("a second is counted once, in its place, and dropped after two minutes", () => {
  const meter = createRateMeter()
  meter.add(3, start + 100)
  meter.add(4, start + 900)
  meter.add(5, start + 1_000)
  expect(meter.read(start + 1_500).slice(-2)).toEqual([0, 7])
  expect(meter.read(start + 2_000).slice(-2)).toEqual([7, 5])
  expect(meter.read(start + 120_000)[0]).toBe(7)
  expect(meter.read(start + 121_000)[0]).toBe(5)
  expect(meter.read(start + 122_000).every((count) => count === 0)).toBe(true)
})

it("seconds of an hour ago never come back as new ones", () => {
  const meter = createRateMeter()
  for (let second = 0; second < 300; second++) meter.add(1, start + second * 1000)
  expect(meter.read(start + 300_000)).toEqual(new Array(rateSeconds).fill(1))
  expect(meter.read(start + 3_600_000)).toEqual(new Array(rateSeconds).fill(0))
})
