import fc from "fast-check"
import { expect, test } from "vitest"
import { counted, page, sliceOf } from "@/lib/platform/http/paging"

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

test("where the total stops at a bound, a row behind the page tells that there is a next one, and is not shown", () => {
  const at = (number: number, rows: number[]) => page({ page: number, size: 2 }, rows, 4)
  expect(at(2, [3, 4, 5])).toMatchObject({ data: [3, 4], page: { total: 4, totalPages: 2, hasNextPage: true } })
  expect(at(3, [5, 6])).toMatchObject({ data: [5, 6], page: { total: 4, hasNextPage: false } })
  expect(at(1, [1, 2])).toMatchObject({ data: [1, 2], page: { hasNextPage: true } })
})
