import { beforeAll, expect, test, vi } from "vitest"
import { size } from "@/e2e/support/chaos/size"
import { addVerifiedDomain } from "@/e2e/support/examples"
import { api, newWorld, type World } from "@/e2e/support/world"
import { conditions } from "@/lib/emails/log/filter"
import { closeDatabase, pool } from "@/lib/platform/database/db"
import type { Scope } from "@/lib/platform/http/scope"

const emails = size(45_000, 1_000_000)
/** Shorter than the walk over all emails takes, in the long run at least. */
const statementMs = 400
const firstAt = new Date(Date.now() - 40 * 86_400_000)
let world: World

beforeAll(async () => {
  world = await newWorld()
  await addVerifiedDomain(world)
  const client = await pool().connect()
  await client.query("SET statement_timeout = 0")
  await client.query(
    `INSERT INTO emails (id, project_id, group_id, status, admitted_status, domain_id, from_header, to_headers, cc_headers, bcc_headers,
        subject, message_id)
      SELECT first_id_at($3::timestamptz + n * interval '1 second'), $1, gen_random_uuid(),
        CASE WHEN n % 15000 = 0 THEN 'bounced' ELSE 'delivered' END, 'queued', (SELECT id FROM domains WHERE project_id = $1),
        CASE WHEN n % 10000 = 0 THEN 'Rare <rare@acme.test>' ELSE 'Acme <hello@acme.test>' END, '{ada@lovelace.example}', '{}', '{}',
        'Number ' || n, '<' || n || '@acme.test>' FROM generate_series(1, $2::int) AS n`,
    [world.projectId, emails, firstAt],
  )
  await client.query(
    `INSERT INTO deliveries (id, project_id, email_id, region, role, address, canonical, status)
      SELECT gen_random_uuid(), project_id, id, 'eu-west-1', 'to', 'ada@lovelace.example', 'ada@lovelace.example', status
        FROM emails WHERE project_id = $1`,
    [world.projectId],
  )
  await client.query("ANALYZE emails, deliveries")
  client.release(true)
  await closeDatabase()
  pool().on("connect", (connected) => void connected.query(`SET statement_timeout = ${statementMs}`))
}, 600_000)

const params = () => ({ key: world.apiKey, params: { projectId: world.project } })
const list = async (query: Record<string, string>) =>
  (await api("GET /v1/projects/{projectId}/emails", { ...params(), query })).json
const subjectsOf = (json: { data: { subject: string }[] }) => json.data.map(({ subject }) => subject)

async function exported(query: Record<string, string>): Promise<string[]> {
  const { response } = await api("GET /v1/projects/{projectId}/emails/export", { ...params(), query })
  return (await response.text()).trimEnd().split("\r\n").slice(1)
}

test("a sender or a subject that nothing has is answered by short statements, and exported as no row", async () => {
  const asked = vi.spyOn(pool(), "query")
  expect(await list({ subject: "nobody wrote this" })).toMatchObject({ data: [], page: { total: 0 } })
  const statements = asked.mock.calls.filter(([text]) => typeof text === "string" && text.includes("FROM emails"))
  asked.mockRestore()
  expect(statements.length).toBeGreaterThan(2 * Math.floor(emails / 20_000))
  expect(await exported({ from: "nobody@acme.test" })).toEqual([])
}, 60_000)

test("pages, total and export of a rare sender hold every match once, newest first", async () => {
  const matches = Math.floor(emails / 10_000)
  const all = Array.from({ length: matches }, (_, at) => `Number ${(matches - at) * 10_000}`)
  const first = await list({ from: "rare@", size: "3" })
  expect({ subjects: subjectsOf(first), total: first.page.total }).toEqual({
    subjects: all.slice(0, 3),
    total: matches,
  })
  expect(subjectsOf(await list({ from: "rare@", size: "3", page: "2" }))).toEqual(all.slice(3, 6))
  const lines = await exported({ from: "rare@" })
  expect(lines.map((line) => /Number \d+/.exec(line)?.[0])).toEqual(all)
}, 60_000)

test("a part that every email has counts to 10,000, has deep pages, and is exported whole", async () => {
  const { page } = await list({ subject: "number" })
  expect(page.total).toBe(10_000)
  const deep = await list({ subject: "number", size: "10", page: "2501" })
  expect(subjectsOf(deep)).toEqual(Array.from({ length: 10 }, (_, at) => `Number ${emails - 25_000 - at}`))
  expect(
    await exported({
      subject: "number",
      after: new Date(firstAt.getTime() + (emails - 1_199) * 1000).toISOString(),
    }),
  ).toHaveLength(1_200)
}, 60_000)

test("a filter's pages go on beyond its total of 10,000 until no email is left, by index and by walk", async () => {
  const after = new Date(firstAt.getTime() + (emails - 10_149) * 1000).toISOString()
  for (const filter of [{ after }, { after, subject: "number" }] as Record<string, string>[]) {
    const read = async (page: string) => {
      const json = await list({ ...filter, size: "100", page })
      return { rows: json.data.length, total: json.page.total, hasNextPage: json.page.hasNextPage }
    }
    expect(await read("100")).toEqual({ rows: 100, total: 10_000, hasNextPage: true })
    expect(await read("101")).toEqual({ rows: 100, total: 10_000, hasNextPage: true })
    expect(await read("102")).toEqual({ rows: 50, total: 10_000, hasNextPage: false })
  }
}, 60_000)

test("rare statuses are found by the index of their deliveries, newest first, and with a part of the sender", async () => {
  const matches = Math.floor(emails / 15_000)
  const newest = Array.from({ length: Math.min(2, matches) }, (_, at) => `Number ${(matches - at) * 15_000}`)
  const listed = await list({ status: "bounced", size: "2" })
  expect({ subjects: subjectsOf(listed), total: listed.page.total }).toEqual({ subjects: newest, total: matches })
  const { page } = await list({ status: "bounced", from: "rare@" })
  expect(page.total).toBe(Math.floor(emails / 30_000))
  const { where, values } = conditions({ project: { id: world.projectId } } as Scope, {
    statuses: ["failed", "bounced"],
  })
  const { rows } = await pool().query(
    `EXPLAIN (FORMAT JSON) SELECT e.id FROM emails e WHERE ${where} ORDER BY e.id DESC LIMIT 20`,
    values,
  )
  expect(JSON.stringify(rows[0]["QUERY PLAN"])).toContain("deliveries_not_reached")
})

test("a status that many emails have is answered by short statements, whether it comes first or is nowhere", async () => {
  const delivered = await list({ status: "delivered", size: "2" })
  expect(subjectsOf(delivered)[0]).toEqual(`Number ${emails - Number(emails % 15_000 === 0)}`)
  expect(delivered.page.total).toBe(10_000)
  expect(await list({ status: "sending" })).toMatchObject({ data: [], page: { total: 0 } })
  expect(await exported({ status: "sending" })).toEqual([])
  expect(await list({ status: "sending,bounced" })).toMatchObject({ page: { total: Math.floor(emails / 15_000) } })
}, 60_000)

test("no index of emails holds its status, so that a change of it writes the row alone", async () => {
  const { rows } = await pool().query(
    "SELECT indexdef FROM pg_indexes WHERE schemaname = 'public' AND tablename = 'emails' AND indexdef ~ 'status'",
  )
  expect(rows).toEqual([])
})
