import fc from "fast-check"
import { expect, test } from "vitest"
import { counted, sliceOf } from "@/lib/platform/http/paging"

const lists = fc.record({
  all: fc.array(fc.integer(), { maxLength: 50 }),
  page: fc.integer({ min: 1, max: 12 }),
  size: fc.integer({ min: 1, max: 12 }),
})

test("every page of a list says how many there are in all", () =>
  fc.assert(
    fc.asyncProperty(lists, async ({ all, ...request }) => {
      const { skip, take } = sliceOf(request)
      const shown = all.slice(skip, skip + take)
      const found = await counted(request, Promise.resolve(shown), () => Promise.resolve(all.length))
      expect(found).toEqual({ rows: shown, total: all.length })
    }),
  ))

test("a page that is not full, nor beyond the end, is not counted", async () => {
  const never = () => Promise.reject(new Error("counted"))
  const total = async (page: number, rows: number[], count = never) =>
    (await counted({ page, size: 2 }, Promise.resolve(rows), count)).total
  expect(await total(1, [])).toBe(0)
  expect(await total(1, [1])).toBe(1)
  expect(await total(3, [5])).toBe(5)
  await expect(total(1, [1, 2])).rejects.toThrow("counted")
  await expect(total(3, [])).rejects.toThrow("counted")
})
