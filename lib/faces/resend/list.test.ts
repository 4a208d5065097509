import fc from "fast-check"
import { expect, test } from "vitest"
import { listed } from "@/lib/faces/resend/list"

const items = (count: number) => Array.from({ length: count }, (_, at) => ({ id: `id${at}` }))

const readerOf =
  (all: { id: string }[]) =>
  async ({ page, size }: { page: string; size: string }) => {
    const to = Number(page) * Number(size)
    return { data: all.slice(to - Number(size), to), page: { hasNextPage: to < all.length } }
  }

const idsOf = (answer: Record<string, unknown>) => (answer.data as { id: string }[]).map(({ id }) => id)

test("a list continues after and before each of its items, and says whether there are more", async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.integer({ min: 1, max: 350 }),
      fc.nat(),
      fc.integer({ min: 1, max: 100 }),
      async (n, at, limit) => {
        const all = items(n)
        const place = at % n
        const id = `id${place}`
        const ids = all.map((item) => item.id)
        const after = await listed({ limit, after: id }, readerOf(all), (item) => item)
        expect(idsOf(after)).toEqual(ids.slice(place + 1, place + 1 + limit))
        expect(after.has_more).toBe(place + 1 + limit < n)
        const before = await listed({ limit, before: id }, readerOf(all), (item) => item)
        expect(idsOf(before)).toEqual(ids.slice(Math.max(0, place - limit), place))
        expect(before.has_more).toBe(place > limit)
        const first = await listed({ limit }, readerOf(all), (item) => item)
        expect([idsOf(first), first.has_more]).toEqual([ids.slice(0, limit), n > limit])
      },
    ),
    { numRuns: 50 },
  )
})

test("an item that is not in the list, and both directions at once, are refused", async () => {
  const read = readerOf(items(3))
  await expect(listed({ limit: 1, after: "none" }, read, (item) => item)).rejects.toThrow(/query\/after: Names nothing/)
  await expect(listed({ limit: 1, after: "id1", before: "id2" }, read, (item) => item)).rejects.toThrow(/not both/)
})
