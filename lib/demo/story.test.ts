import { expect, test } from "vitest"
import { customers } from "@/lib/demo/people"
import { seeded } from "@/lib/demo/seeded"
import { tell, type Cast } from "@/lib/demo/story"

test("nothing of an email of the last minutes or hours happens in the future", () => {
  const random = seeded(7)
  const now = new Date("2026-11-24T11:00:00Z")
  const senders = { shop: "harborpine.test", news: "news.harborpine.example" }
  const cast: Cast = { now, senders, isSuppressed: () => false }
  const people = customers(20, random)
  for (let order = 0; order < 4_000; order++) {
    const at = new Date(now.getTime() - random.whole(3, 180) * 60_000)
    const { events, attempts } = tell(random, cast, at, random.pick(people), order)
    for (const event of events) expect(event.at.getTime()).toBeLessThanOrEqual(now.getTime())
    for (const { endedAt } of attempts) expect(endedAt.getTime()).toBeLessThanOrEqual(now.getTime())
  }
})
