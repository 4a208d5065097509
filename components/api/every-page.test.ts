import { expect, test } from "vitest"
import { everyPage } from "./every-page"

test("every page is read in turn, and what moved to a later one meanwhile is there once", async () => {
  const pages = [["c", "b"], ["b", "a"], ["z"]].map((ids, index) => ({ data: ids.map((id) => ({ id })), page: { hasNextPage: index < 2 } }))
  const asked: number[] = []
  const all = await everyPage(async (number) => {
    asked.push(number)
    return pages[number - 1] ?? { data: [], page: { hasNextPage: false } }
  })
  expect([asked, all.map(({ id }) => id)]).toEqual([[1, 2, 3], ["c", "b", "a", "z"]])
})
