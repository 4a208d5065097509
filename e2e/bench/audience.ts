import { api, newKey, newWorld, type Call, type World } from "@/e2e/support/world"
import { foldCounts } from "@/lib/contacts/data"
import { pool, transaction } from "@/lib/platform/database/db"
import type { Route } from "@/lib/platform/http/endpoint"
import { encodeId, newId } from "@/lib/platform/ids"

const rowsAtOnce = 20_000

/** A project with so many contacts, all of them in one segment and opted in to one topic. */
export type Audience = { world: World; keys: string[]; count: number; segment: string; topic: string }

export async function newAudience(count: number): Promise<Audience> {
  const world = await newWorld()
  const keys = await Promise.all(Array.from({ length: 20 }, async () => (await newKey(world.projectId)).apiKey))
  const [segment, topic] = [newId(), newId()]
  await pool().query("INSERT INTO segments (id, project_id, name) VALUES ($1, $2, 'Everybody')", [
    segment,
    world.projectId,
  ])
  await pool().query(
    "INSERT INTO topics (id, project_id, name, default_subscription) VALUES ($1, $2, 'News', 'opt_in')",
    [topic, world.projectId],
  )
  for (let done = 0; done < count; done += rowsAtOnce) {
    await transaction(async (client) => {
      await client.query("SET LOCAL statement_timeout = 0")
      const ids = `SELECT (lpad(to_hex(1700000000000 + n), 12, '0') || '7000' || '8000' || lpad(to_hex($3::int + n), 12, '0'))::uuid AS id, n
        FROM generate_series($2::int, $2 + $4 - 1) AS n`
      const values = [
        world.projectId,
        done,
        parseInt(world.projectId.slice(-6), 16),
        Math.min(rowsAtOnce, count - done),
      ]
      await client.query(
        `INSERT INTO contacts (id, project_id, email, first_name, last_name, unsubscribed)
          SELECT id, $1, 'person' || n || '@host' || n % 997 || '.example', 'First' || n % 5003, 'Last' || n % 7919, n % 50 = 0 FROM (${ids}) g`,
        values,
      )
      await client.query(
        `INSERT INTO segment_members (project_id, segment_id, contact_id, origin) SELECT $1, $5, id, 'filter' FROM (${ids}) g`,
        [...values, segment],
      )
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
export async function vacuum() {
  const client = await pool().connect()
  await client.query("SET statement_timeout = 0")
  await client.query("VACUUM (ANALYZE) contacts, segment_members, topic_preferences")
  client.release(true)
}

let turn = 0

/** An operation by one of the keys in turn, so that no bucket is used up; throws when it is refused. */
export async function call(audience: Audience, route: Route, { params, query, body }: Call = {}) {
  const key = audience.keys[turn++ % audience.keys.length]
  const answer = await api(route, { key, params: { projectId: audience.world.project, ...params }, query, body })
  if (answer.status >= 300) throw new Error(`${route}: ${JSON.stringify(answer.json)}`)
  return answer.json
}
