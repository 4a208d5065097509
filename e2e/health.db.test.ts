import { afterAll, afterEach, beforeAll, expect, test } from "vitest"
import { GET } from "@/app/health/route"
import { api, newSession, newWorld, sessionCookie } from "@/e2e/support/world"
import { newSending, sendMail } from "@/lib/delivery/testing/sending"
import { closeDatabase, pool } from "@/lib/platform/database/db"
import { newId } from "@/lib/platform/ids"

// The first answer loads and connects, which may take a busy machine longer than the second that an answer has.
beforeAll(() => health({}))
afterEach(() => pool().query("DELETE FROM region_outages"))
afterAll(closeDatabase)

const health = (headers: Record<string, string>) => GET(new Request("http://mailroom.test/health", { headers }))

async function outage() {
  await pool().query(
    `INSERT INTO region_outages (route, phase, diagnostic, next_probe_at) VALUES ('eu-west-1', 'connect', 'connect ECONNREFUSED 10.0.0.1:25', now())`,
  )
}

test("a stranger learns of the installation one word, and nothing of regions, queue or database", async () => {
  await outage()
  const answer = await health({ "x-client-ip": "203.0.113.7" })
  expect(answer.status).toBe(200)
  expect(await answer.json()).toEqual({ status: "degraded" })
})

test("loopback reads which region cannot reach its relay, since when, why, and how many emails wait", async () => {
  const sender = await newSending()
  await pool().query("UPDATE deliveries SET due_at = NULL")
  await sendMail(sender)
  await outage()
  const details = await (await health({ "x-client-ip": "127.0.0.1" })).json()
  expect(details).toMatchObject({ status: "degraded", database: { status: "up" }, queue: { due: 1 } })
  const found = details.regions.find(({ region }: { region: string }) => region === "eu-west-1")
  expect(found).toMatchObject({ status: "down", waiting: 1, since: expect.any(String) })
  expect(found.message).toMatch(
    /^Region eu-west-1 has not reached its relay since \d\d:\d\d UTC: connection refused\. 1 email waits; Mailroom checks every/,
  )

  await pool().query("DELETE FROM region_outages")
  expect(await (await health({ "x-client-ip": "::1" })).json()).toMatchObject({ status: "ok" })
})

test("a signed-in user reads the details from anywhere; a cookie without a live session shows none", async () => {
  const { userId } = await newWorld()
  await outage()
  const from = { "x-client-ip": "203.0.113.7" }
  const details = await (await health({ ...from, cookie: await newSession(userId) })).json()
  expect(details).toMatchObject({ status: "degraded", database: { status: "up" }, queue: { due: expect.any(Number) } })
  expect(details.regions).toContainEqual(expect.objectContaining({ region: "eu-west-1", status: "down" }))

  const strangers = [await sessionCookie(newId()), (await newSession(userId)).replace(/.{4}$/, "AAAA"), "other=1"]
  for (const cookie of strangers)
    expect(await (await health({ ...from, cookie })).json()).toEqual({ status: "degraded" })
})

test("a project reads the state of its home region with its own emails alone", async () => {
  const [sender, neighbour] = [await newSending(), await newWorld({ region: "eu-west-1" })]
  await sendMail(sender)
  await outage()
  const region = async ({ project, apiKey }: { project: string; apiKey: string }) =>
    (await api("GET /v1/projects/{projectId}/region", { key: apiKey, params: { projectId: project } })).json
  expect(await region(neighbour)).toMatchObject({ region: "eu-west-1", status: "down", waiting: 0 })
  expect(await region(sender)).toMatchObject({ region: "eu-west-1", status: "down", waiting: 1 })
})
