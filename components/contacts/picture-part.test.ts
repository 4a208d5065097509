import fc from "fast-check"
import { expect, test } from "vitest"
import { centre, partAround, squareOf } from "@/components/contacts/picture-crop"

const pixels = fc.integer({ min: 1, max: 10_000 })
const picture = fc.record({ width: pixels, height: pixels })
const share = fc.double({ min: -2, max: 3 })

test("whatever is asked for, the square lies within the picture", () => {
  fc.assert(
    fc.property(picture, share, share, share, ({ width, height }, across, down, size) => {
      const { left, top, side } = squareOf({ width, height }, { across, down, size })
      expect(side).toBeGreaterThanOrEqual(1)
      expect(Math.min(left, top)).toBeGreaterThanOrEqual(0)
      expect(left + side).toBeLessThanOrEqual(width)
      expect(top + side).toBeLessThanOrEqual(height)
    }),
  )
})

test("what a press asks for is around its point, as far as the picture goes", () => {
  const wide = { width: 400, height: 200 }
  expect(squareOf(wide, centre)).toEqual({ left: 100, top: 0, side: 200 })
  expect(squareOf(wide, partAround({ x: 0.25, y: 0.9 }, wide, centre))).toEqual({ left: 0, top: 0, side: 200 })
  expect(squareOf(wide, partAround({ x: 0.6, y: 0.5 }, wide, { ...centre, size: 0.5 }))).toEqual({
    left: 190,
    top: 50,
    side: 100,
  })
})
