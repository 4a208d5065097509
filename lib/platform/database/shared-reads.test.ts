import { expect, test } from "vitest"
import { sharedRead } from "@/lib/platform/jobs/batches"

function recorded() {
  const reads: [group: string, keys: string[]][] = []
  const find = sharedRead((group, keys) => {
    reads.push([group, keys])
    return Promise.resolve(new Map(keys.filter((key) => key !== "missing").map((key) => [key, `${group} ${key}`])))
  })
  return { reads, find }
}

test("what is asked for at once is read at once, for each group apart and each key once", async () => {
  const { reads, find } = recorded()
  const found = await Promise.all([
    find("a", "1"),
    find("a", "2"),
    find("b", "1"),
    find("a", "1"),
    find("a", "missing"),
  ])
  expect(found).toEqual(["a 1", "a 2", "b 1", "a 1", null])
  expect(reads).toEqual([
    ["a", ["1", "2", "missing"]],
    ["b", ["1"]],
  ])
})

test("a key is never answered by a read that began before it was asked for", async () => {
  const { reads, find } = recorded()
  await find("a", "1")
  await find("a", "1")
  expect(reads).toHaveLength(2)
})

test("a read has at most a hundred keys, and no key is left out", async () => {
  const { reads, find } = recorded()
  const keys = Array.from({ length: 250 }, (_, at) => String(at))
  const found = await Promise.all(keys.map((key) => find("a", key)))
  expect(found).toEqual(keys.map((key) => `a ${key}`))
  expect(reads.map(([, asked]) => asked.length)).toEqual([100, 100, 50])
})

test("a read that fails fails all that share it, and nobody after them", async () => {
  let fails = true
  const find = sharedRead((_, keys) =>
    fails ? Promise.reject(new Error("down")) : Promise.resolve(new Map(keys.map((key) => [key, key]))),
  )
  const outcomes = await Promise.allSettled([find("a", "1"), find("a", "2")])
  expect(outcomes.map(({ status }) => status)).toEqual(["rejected", "rejected"])
  fails = false
  expect(await find("a", "1")).toBe("1")
})
