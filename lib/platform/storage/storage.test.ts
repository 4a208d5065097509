import { expect, test } from "vitest"
import { registry } from "@/lib/platform/metrics"
import { withCounts } from "@/lib/platform/storage/storage"
import type { ObjectStore } from "@/lib/platform/storage/store"

test("operations on stored objects are withCounts by how they ended, and end as those of the store do", async () => {
  const broken = new Error("The bucket does not answer.")
  let fails = false
  const done = () => (fails ? Promise.reject(broken) : Promise.resolve())
  const store = withCounts({
    put: done,
    putFile: done,
    get: () => done().then(() => null),
    remove: done,
    async *list() {
      yield { key: "images/a.webp", modifiedAt: new Date(0) }
      await done()
    },
  } satisfies ObjectStore)
  const attempts = async () => {
    const work = [
      () => store.put("images/a.webp", new Uint8Array(), "image/webp"),
      () => store.putFile("images/a.webp", "/tmp/a", "image/webp"),
      () => store.get("images/a.webp"),
      () => store.remove("images/a.webp"),
      () => all(store.list("images")),
    ]
    return Promise.allSettled(work.map((run) => run()))
  }
  const values = (outcomes: PromiseSettledResult<unknown>[]) =>
    outcomes.map((one) => (one.status === "fulfilled" ? one.value : one.reason))
  const found = [{ key: "images/a.webp", modifiedAt: new Date(0) }]
  expect(values(await attempts())).toEqual([undefined, undefined, null, undefined, found])
  fails = true
  expect(values(await attempts())).toEqual([broken, broken, broken, broken, broken])

  const { values: counts } = (await registry().getSingleMetric("mailroom_storage_operations_total")?.get()) ?? {
    values: [],
  }
  const byName = Object.fromEntries(
    counts.map(({ labels, value }) => [`${labels.operation} ${labels.outcome}`, value] as const),
  )
  expect(byName).toEqual({
    ...{ "put done": 2, "get done": 1, "remove done": 1, "list done": 3 },
    ...{ "put failed": 2, "get failed": 1, "remove failed": 1, "list failed": 1 },
  })
})

async function all<T>(items: AsyncIterable<T>): Promise<T[]> {
  const found: T[] = []
  for await (const item of items) found.push(item)
  return found
}
