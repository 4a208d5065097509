import { afterAll, beforeAll, expect, test } from "vitest"
import { size } from "@/e2e/support/chaos/size"
import { buildWorker } from "@/e2e/support/chaos/worker-process"
import { addVerifiedDomain } from "@/e2e/support/examples"
import { api, newKey, newWorld, type World } from "@/e2e/support/world"
import { usedToday } from "@/e2e/support/used-today"
import { pool } from "@/lib/platform/database/db"

const processes = 4
const apiKeys = 20
const { daily, each } = size({ daily: 200, each: 14 }, { daily: 1_000, each: 70 })

type Said = { said: number | string; replayed: boolean }

let bundle: Awaited<ReturnType<typeof buildWorker>>

beforeAll(async () => {
  bundle = await buildWorker("sender-worker")
})

afterAll(() => bundle.remove())

test(`of ${apiKeys * each} sends with 20 keys over 4 processes, exactly ${daily} fit a daily allowance of ${daily}; replays cost nothing`, async () => {
  const world = await newWorld()
  await addVerifiedDomain(world)
  await allow(world, daily)
  const keys = await Promise.all(Array.from({ length: apiKeys }, () => newKey(world.projectId)))
  const share = apiKeys / processes
  const started = Array.from({ length: processes }, (_, at) => {
    const own = keys.slice(at * share, (at + 1) * share).map(({ apiKey }) => apiKey)
    return bundle.start({
      SENDER_KEYS: own.join(" "),
      SENDER_FROM: "hello@acme.test",
      SENDER_REQUESTS: String(each),
      SENDER_NAME: `process ${at}`,
    })
  })
  const results = await Promise.all(
    started.map(async (one) => ((await one.ended()) === 0 ? (JSON.parse(one.output()) as Said[][]) : one.output())),
  )
  const [first, second] = [0, 1].map((round) => results.flatMap((rounds) => rounds[round] as Said[]))

  expect(counted(first)).toEqual({ made: daily, replayed: 0, refused: apiKeys * each - daily })
  expect(counted(second)).toEqual({ made: 0, replayed: daily, refused: apiKeys * each - daily })
  expect(await kept(world)).toEqual({ emails: daily, used: daily })
}, 240_000)

test("of a batch of 100 with 50 left of the day, 50 items are accepted and 50 refused each by itself", async () => {
  const world = await newWorld()
  await addVerifiedDomain(world)
  await allow(world, 50)
  const mail = { from: "hello@acme.test", to: ["ada@lovelace.example"], subject: "Hello", text: "Hi" }
  const items = Array.from({ length: 100 }, () => mail)
  const { status, json } = await api("POST /v1/emails/batch", { key: world.apiKey, body: { items } })
  expect(status).toBe(200)
  type Item = { status: string; problem?: { status: number; code: string } }
  const refused = (json.results as Item[]).filter(({ problem }) => problem)
  expect(json.results.filter((item: Item) => item.status === "queued")).toHaveLength(50)
  expect(refused.map(({ problem }) => `${problem?.status} ${problem?.code}`)).toEqual(
    Array(50).fill("429 quota.daily_exceeded"),
  )
  expect(await kept(world)).toEqual({ emails: 50, used: 50 })
})

test("of 100 sends at the same moment with one left of the day, one is accepted", async () => {
  const world = await newWorld()
  await addVerifiedDomain(world)
  await allow(world, 1)
  const body = { from: "hello@acme.test", to: ["ada@lovelace.example"], subject: "Hello", text: "Hi" }
  const answers = await Promise.all(
    Array.from({ length: 100 }, () => api("POST /v1/emails", { key: world.apiKey, body })),
  )
  expect(answers.filter(({ status }) => status === 201)).toHaveLength(1)
  expect(answers.filter(({ json }) => json.code === "quota.daily_exceeded")).toHaveLength(99)
  expect(await kept(world)).toEqual({ emails: 1, used: 1 })
})

/** The day's allowance speaks alone: the rate is too high to say a word. */
async function allow({ organizationId, projectId }: World, sends: number) {
  await pool().query("UPDATE organizations SET daily_sends = $2 WHERE id = $1", [organizationId, sends])
  await pool().query("UPDATE projects SET per_second_sends = 100000 WHERE id = $1", [projectId])
}

function counted(said: readonly Said[] = []) {
  const replayed = said.filter((one) => one.replayed).length
  return {
    made: said.filter((one) => one.said === 201).length - replayed,
    replayed,
    refused: said.filter((one) => one.said === "quota.daily_exceeded").length,
  }
}

async function kept(world: World) {
  const { rows } = await pool().query("SELECT count(*)::int AS n FROM emails WHERE project_id = $1", [world.projectId])
  return { emails: rows[0].n, used: await usedToday(world) }
}
