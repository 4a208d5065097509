import { afterAll, beforeAll, expect, test } from "vitest"
import { buildWorker } from "@/e2e/support/chaos/worker-process"
import { addVerifiedDomain } from "@/e2e/support/examples"
import { newWorld } from "@/e2e/support/world"

let bundle: Awaited<ReturnType<typeof buildWorker>>

beforeAll(async () => {
  bundle = await buildWorker("bucket-worker")
})

afterAll(() => bundle.remove())

test("of 8 processes with 100 requests each on one key of the 300/60 bucket, exactly 300 pass", async () => {
  const world = await newWorld()
  await addVerifiedDomain(world)
  const env = { BUCKET_KEY: world.apiKey, BUCKET_FROM: "hello@acme.test", BUCKET_REQUESTS: "100" }
  const processes = Array.from({ length: 8 }, () => bundle.start(env))
  const results = await Promise.all(
    processes.map(async (one) => ((await one.ended()) === 0 ? JSON.parse(one.output()) : one.output())),
  )
  expect(results.reduce((sum, { passed }) => sum + passed, 0)).toBe(300)
  const waits = results.flatMap((one) => one.waits)
  expect(waits).toHaveLength(500)
  for (const wait of waits) expect(Number.isInteger(wait) && wait >= 1 && wait <= 60).toBe(true)
}, 60_000)
