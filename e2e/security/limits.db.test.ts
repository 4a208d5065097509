import { size } from "@/e2e/support/chaos/size"
import { expectProblem } from "@/e2e/support/expect-problem"
import { beforeAll, expect, test } from "vitest"
import { api, newWorld, type World } from "@/e2e/support/world"
import { pool } from "@/lib/platform/database/db"
import { provideEnv } from "@/lib/platform/env/env"

// Attacks on what counts: bad credentials from one address, windows that touch, counters that could pile up.

const route = "GET /v1/projects/{projectId}"
let world: World
beforeAll(async () => {
  provideEnv({ FAILED_CREDENTIALS_PER_MINUTE: "40", SIGN_IN_TRIES_PER_ADDRESS: "7" })
  world = await newWorld()
})

const ask = (headers: Record<string, string>, key?: string) =>
  api(route, { params: { projectId: world.project }, headers, ...(key && { key }) })

const failing = size(2_000, 10_000)

test(`failing credentials from an address are 401 up to the configured number, then 429, and ${failing} leave no row`, async () => {
  const statuses = new Map<number, number>()
  for (let at = 0; at < failing; at += 500) {
    const answers = await Promise.all(
      Array.from({ length: 500 }, (_, index) =>
        ask({ authorization: `Bearer bad-${at + index}`, "x-client-ip": "198.51.100.7" }),
      ),
    )
    for (const { status } of answers) statuses.set(status, (statuses.get(status) ?? 0) + 1)
  }
  expect([...statuses].sort()).toEqual([
    [401, 40],
    [429, failing - 40],
  ])
  expect((await ask({ "x-client-ip": "198.51.100.7" }, world.apiKey)).status).toBe(200)
  expect((await ask({ authorization: "Bearer bad", "x-client-ip": "198.51.100.8" })).status).toBe(401)
  const { rows } = await pool().query("SELECT count(*)::int AS n FROM rate_windows WHERE key NOT LIKE '%' || $1", [
    world.keyId,
  ])
  expect(rows[0].n).toBe(0)
})

test("two adjacent windows each pass their limit and never more", async () => {
  const bucket = async () =>
    (await api("GET /v1/projects/{projectId}/domains", { key: world.apiKey, params: { projectId: world.project } }))
      .status
  const limit = Number(
    (
      await api("GET /v1/projects/{projectId}/domains", { key: world.apiKey, params: { projectId: world.project } })
    ).headers.get("x-ratelimit-limit"),
  )
  const first = await Promise.all(Array.from({ length: limit + 10 }, bucket))
  expect(first.filter((status) => status === 200)).toHaveLength(limit - 1)
  await pool().query("UPDATE rate_windows SET expire = $1 WHERE key LIKE '%' || $2", [Date.now() - 1, world.keyId])
  const second = await Promise.all(Array.from({ length: limit + 10 }, bucket))
  expect(second.filter((status) => status === 200)).toHaveLength(limit)
})

test("a key has one counter per policy, whatever it requests", async () => {
  for (let turn = 0; turn < 50; turn++)
    await api("GET /v1/projects/{projectId}/emails", {
      key: world.apiKey,
      params: { projectId: world.project },
      query: { search: `s${turn}`, page: turn },
    })
  const { rows } = await pool().query("SELECT key FROM rate_windows WHERE key LIKE '%' || $1", [world.keyId])
  expect(new Set(rows.map(({ key }) => key)).size).toBe(rows.length)
  expect(rows.length).toBeLessThan(6)
})

test.each([
  "PROJECT/emails/../../B",
  "A%2F..%2FB",
  "PROJECT;B",
  "PROJECT%00",
  "PROJECT\n",
  "PROJECT/",
  "..",
  ".",
  "nope",
  "PROJECT%20",
  "x".repeat(1_000_000),
])("a project path made of tricks is 403 for a key, never another project's: %j", async (text) => {
  const projectId = text.replace("PROJECT", world.project)
  const { status, json } = await api(route, { key: world.apiKey, params: { projectId } })
  expectProblem({ status, json }, 403, "auth.project_mismatch")
  expect(JSON.stringify(json).length).toBeLessThan(2_000)
})

test("a key followed by a tab, two schemes or two keys are 401 with the same text", async () => {
  const wrong = [
    `Bearer ${world.apiKey}\t.`,
    `Bearer Bearer ${world.apiKey}`,
    `Bearer ${world.apiKey},${world.apiKey}`,
    `Bearer ${world.apiKey}, Bearer ${world.apiKey}`,
    `bearer=${world.apiKey}`,
    `Bearer "${world.apiKey}"`,
  ]
  const told = new Set<string>()
  for (const [index, authorization] of wrong.entries()) {
    const { status, json } = await ask({ authorization, "x-client-ip": `203.0.113.${index}` })
    expect(status, authorization).toBe(401)
    told.add(`${json.code} ${json.detail}`)
  }
  expect(told.size).toBe(1)
})
