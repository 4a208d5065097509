import { afterAll, expect, test } from "vitest"
import { size } from "@/e2e/chaos/size"
import { api, newKey, newWorld, type Call, type World } from "@/e2e/support/world"
import { foldCounts } from "@/lib/contacts/count-store"
import { closeDatabase, pool, transaction } from "@/lib/platform/db"
import type { Route } from "@/lib/platform/endpoint"
import { writeCursor } from "@/lib/platform/cursors"
import { decodeId, encodeId, newId } from "@/lib/platform/ids"

afterAll(closeDatabase)

const few = size(1_000, 10_000)
const many = size(20_000, 1_000_000)
const rounds = 31
/** Of the gate a guard against walking all rows: so few of them tell less than the noise of a busy machine. */
const ratioMax = size(4, 1.5)
const rowsAtOnce = 20_000

/** A project with so many contacts, all of them in one segment and opted in to one topic. */
type Audience = { world: World; keys: string[]; count: number; segment: string; topic: string }

const contactsRoute = "/v1/projects/{projectId}/contacts"

async function newAudience(count: number): Promise<Audience> {
  const world = await newWorld()
  const keys = await Promise.all(Array.from({ length: 20 }, async () => (await newKey(world.projectId)).apiKey))
  const [segment, topic] = [newId(), newId()]
  await pool().query("INSERT INTO segments (id, project_id, name) VALUES ($1, $2, 'Everybody')", [segment, world.projectId])
  await pool().query("INSERT INTO topics (id, project_id, name, default_subscription) VALUES ($1, $2, 'News', 'opt_in')", [topic, world.projectId])
  for (let done = 0; done < count; done += rowsAtOnce) {
    await transaction(async (client) => {
      await client.query("SET LOCAL statement_timeout = 0")
      const ids = `SELECT (lpad(to_hex(1700000000000 + n), 12, '0') || '7000' || '8000' || lpad(to_hex($3::int + n), 12, '0'))::uuid AS id, n
        FROM generate_series($2::int, $2 + $4 - 1) AS n`
      const values = [world.projectId, done, parseInt(world.projectId.slice(-6), 16), Math.min(rowsAtOnce, count - done)]
      await client.query(
        `INSERT INTO contacts (id, project_id, email, first_name, last_name, unsubscribed)
          SELECT id, $1, 'person' || n || '@host' || n % 997 || '.example', 'First' || n % 5003, 'Last' || n % 7919, n % 50 = 0 FROM (${ids}) g`,
        values,
      )
      await client.query(`INSERT INTO segment_members (project_id, segment_id, contact_id, origin) SELECT $1, $5, id, 'filter' FROM (${ids}) g`, [...values, segment])
      await client.query(
        `INSERT INTO topic_preferences (project_id, topic_id, contact_id, subscription) SELECT $1, $5, id, 'opt_in' FROM (${ids}) g`,
        [...values, topic],
      )
    })
    while (await foldCounts(10_000));
  }
  return { world, keys, count, segment: encodeId("seg", segment), topic: encodeId("top", topic) }
}

/** What autovacuum does within the minute. */
async function vacuum() {
  const client = await pool().connect()
  await client.query("SET statement_timeout = 0")
  await client.query("VACUUM (ANALYZE) contacts, segment_members, topic_preferences")
  client.release(true)
}

let turn = 0

async function call(audience: Audience, route: Route, { params, query }: Call = {}) {
  const key = audience.keys[turn++ % audience.keys.length]
  const answer = await api(route, { key, params: { projectId: audience.world.project, ...params }, query })
  if (answer.status !== 200) throw new Error(`${route}: ${JSON.stringify(answer.json)}`)
  return answer.json
}

/** Medians in milliseconds of the asks, measured in turn, so that what else the machine does meets all of them. */
async function medians(asks: Record<string, () => Promise<unknown>>): Promise<Record<string, number>> {
  const times = new Map<string, number[]>(Object.keys(asks).map((name) => [name, []]))
  for (let round = -3; round < rounds; round++) {
    for (const [name, ask] of Object.entries(asks)) {
      const startedAt = performance.now()
      await ask()
      if (round >= 0) times.get(name)?.push(performance.now() - startedAt)
    }
  }
  return Object.fromEntries([...times].map(([name, all]) => [name, all.sort((a, b) => a - b)[rounds >> 1] ?? 0]))
}

/** A cursor half a page before the end of a membership list, which is as deep as a whole page can lie. */
async function deepCursor(audience: Audience, route: Route, params: Record<string, string>): Promise<string> {
  const { rows } = await pool().query<{ id: string }>("SELECT id FROM contacts WHERE project_id = $1 ORDER BY id OFFSET 30 LIMIT 1", [audience.world.projectId])
  const collection = params.segmentId
    ? `${audience.world.projectId}|segment|${decodeId("seg", params.segmentId)}`
    : `${audience.world.projectId}|topic|${decodeId("top", params.topicId ?? "")}`
  const after = writeCursor(collection, { key: rows[0]?.id ?? "", direction: "next" })
  const page = await call(audience, route, { params, query: { after } })
  expect(page.data).toHaveLength(20)
  return after
}

async function asksOf(audience: Audience) {
  const { count, segment, topic } = audience
  const list = (query: Record<string, string | number>) => () => call(audience, `GET ${contactsRoute}`, { query })
  const [middle] = (await call(audience, `GET ${contactsRoute}`, { query: { email: `person${count >> 1}@host${(count >> 1) % 997}.example` } })).data
  const members = { route: "GET /v1/projects/{projectId}/segments/{segmentId}/contacts", params: { segmentId: segment } } as const
  const optedIn = { route: "GET /v1/projects/{projectId}/topics/{topicId}/contacts", params: { topicId: topic } } as const
  const [deepMembers, deepOptedIn] = [await deepCursor(audience, members.route, members.params), await deepCursor(audience, optedIn.route, optedIn.params)]
  return {
    "members, first page": () => call(audience, members.route, members),
    "members, deepest page": () => call(audience, members.route, { ...members, query: { after: deepMembers } }),
    "topic, first page": () => call(audience, optedIn.route, optedIn),
    "topic, deepest page": () => call(audience, optedIn.route, { ...optedIn, query: { after: deepOptedIn } }),
    "contacts, first page": list({}),
    "contacts, middle page": list({ page: count / 40 }),
    "contacts, last page": list({ page: count / 20 }),
    "contact by address": list({ email: `person${count - 7}@host${(count - 7) % 997}.example` }),
    "search, one match": list({ search: `person${count >> 1}@` }),
    "search, many matches": list({ search: "first12" }),
    "search, everybody": list({ search: "example" }),
    "search, nobody": list({ search: "nobody-here" }),
    "members of the segment, filtered": list({ segmentId: segment, unsubscribed: "true" }),
    "unsubscribed, last page": list({ unsubscribed: "true", page: Math.max(1, count / 50 / 20) }),
    "one contact": () => call(audience, `GET ${contactsRoute}/{contactId}`, { params: { contactId: middle.id } }),
  }
}

test(`pages of ${many} contacts cost what those of ${few} do, and the deepest page of members what the first does`, { timeout: 1_800_000 }, async () => {
  const [small, large] = [await newAudience(few), await newAudience(many)]
  await vacuum()
  const measured = { [few]: await medians(await asksOf(small)), [many]: await medians(await asksOf(large)) }
  const [ofFew, ofMany] = [measured[few] ?? {}, measured[many] ?? {}]
  const table = Object.keys(ofMany).map((name) => `${name.padEnd(34)} ${ofFew[name]?.toFixed(1).padStart(8)} ms ${ofMany[name]?.toFixed(1).padStart(8)} ms`)
  process.stdout.write(`${"".padEnd(34)} ${String(few).padStart(8)}    ${String(many).padStart(8)}\n${table.join("\n")}\n`)

  const deepToFirst = (area: string) => (ofMany[`${area}, deepest page`] ?? 0) / (ofMany[`${area}, first page`] ?? 1)
  expect(deepToFirst("members")).toBeLessThanOrEqual(ratioMax)
  expect(deepToFirst("topic")).toBeLessThanOrEqual(ratioMax)
  const { json } = await api("GET /v1/projects/{projectId}/topics/{topicId}", {
    key: large.keys[0], params: { projectId: large.world.project, topicId: large.topic },
  })
  expect(json.optInCount).toBe(many)
})
