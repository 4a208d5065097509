import { setTimeout as sleep } from "node:timers/promises"
import { expect, test } from "vitest"
import { createShare } from "@/lib/platform/jobs/turns"
import type { Problem } from "@/lib/platform/http/problem"

const busy = "Too much at once."

test("The work of one owner runs one at a time, with a rest of the same length in between; that of another does not wait", async () => {
  const share = createShare()
  const began: Record<string, number[]> = { a: [], b: [] }
  const work = (owner: string) => async () => {
    began[owner]?.push(performance.now())
    await sleep(60)
  }
  await Promise.all(["a", "a", "b"].map((owner) => share(owner, work(owner))))
  const [[first = 0, second = 0], [other = 0]] = [began.a ?? [], began.b ?? []]
  expect(other).toBeLessThan(second)
  expect(second - first).toBeGreaterThanOrEqual(110)
})

test("A result is there before the rest, and a failure does not stop those who wait", async () => {
  const share = createShare()
  const failed = share("a", () => Promise.reject(new Error("no")))
  const next = share("a", () => "next")
  await expect(failed).rejects.toThrow("no")
  expect(await next).toBe("next")
  await share("b", () => sleep(80))
  const endedAt = performance.now()
  expect((await share("b", () => performance.now())) - endedAt).toBeGreaterThanOrEqual(70)
})

test("Who has waited too long is refused with 503 and Retry-After, and its work is not done", async () => {
  const share = createShare({ waitMs: 40, busy })
  const done: string[] = []
  const first = share("a", async () => {
    await sleep(100)
    done.push("first")
  })
  const second = share("a", () => done.push("second"))
  const refusal = await second.catch((error: unknown) => error)
  const { detail, kind, extras } = refusal as Problem
  expect({ detail, status: kind.status, ...extras }).toEqual({ detail: busy, status: 503, retryAfterSeconds: 5 })
  await first
  await sleep(150)
  expect(done).toEqual(["first"])
})
