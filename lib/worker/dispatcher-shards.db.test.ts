import { setTimeout as wait } from "node:timers/promises"
import { createParser } from "eventsource-parser"
import pg from "pg"
import { afterAll, afterEach, expect, test, vi } from "vitest"
import { newWorld, type World } from "@/e2e/support/world"
import { rollUp } from "@/lib/metrics/roll-up/data"
import { sha256 } from "@/lib/platform/crypto"
import { pool } from "@/lib/platform/database/db"
import { env } from "@/lib/platform/env/env"
import type { Scope } from "@/lib/platform/http/scope"
import { decodeId, newId } from "@/lib/platform/ids"
import { log } from "@/lib/platform/log"
import { addToken, redeemToken, shardOf } from "@/lib/stream/data"
import { streamHub } from "@/lib/stream/hub"
import { runDispatcher } from "@/lib/worker/dispatcher"

afterAll(() => streamHub().close())
afterEach(() => vi.restoreAllMocks())

async function connected(applicationName?: string): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: env().databaseUrl, application_name: applicationName })
  await client.connect()
  return client
}

async function newWorlds(count: number): Promise<World[]> {
  const worlds: World[] = []
  while (worlds.length < count) worlds.push(await newWorld())
  return worlds
}

/** Adds an event to each of these projects. @returns their ids */
async function write(client: pg.Client, projectIds: readonly string[]): Promise<string[]> {
  const ids = projectIds.map(() => newId())
  await client.query(
    `INSERT INTO events (id, project_id, email_id, type, data, occurred_at)
      SELECT id, project_id, gen_random_uuid(), 'delivered', '{}', now() FROM unnest($1::uuid[], $2::uuid[]) AS one(id, project_id)`,
    [ids, projectIds],
  )
  return ids
}

/** Transactions of one event or some, in an order of projects of its own; they commit late, and some of them never do. */
async function writer(projects: readonly string[], nth: number, rounds: number, written: string[]) {
  const client = await connected()
  for (let round = 0; round < rounds; round++) {
    await client.query("BEGIN")
    const chosen = Array.from(
      { length: 1 + (round % 7) },
      (_, at) => projects[(nth * 13 + round * 5 + at * 3) % projects.length] ?? "",
    )
    const ids = await write(client, chosen)
    await wait((nth * 7 + round * 3) % 17)
    const isLost = round % 10 === 9
    await client.query(isLost ? "ROLLBACK" : "COMMIT")
    if (!isLost) written.push(...ids)
  }
  await client.end()
}

async function follow({ projectId, keyId }: World) {
  const hash = sha256(newId())
  await addToken({ project: { id: projectId }, principal: { kind: "key", keyId } } as unknown as Scope, hash)
  const redeemed = await redeemToken(hash)
  if (!redeemed) throw new Error("The token is not valid.")
  const stop = new AbortController()
  const reader = (await streamHub().subscribe(redeemed.ticket, stop.signal)).getReader()
  const ids: string[] = []
  const parser = createParser({ onEvent: ({ data }) => ids.push(decodeId("evt", JSON.parse(data).id) ?? "") })
  const decoder = new TextDecoder()
  const ended = (async () => {
    for (let read = await reader.read(); !read.done; read = await reader.read()) parser.feed(decoder.decode(read.value))
  })()
  return { projectId, ids, end: () => (stop.abort(), ended) }
}

type Stored = { id: string; projectId: string; seq: string | null }

const stored = async (ids: readonly string[]): Promise<Stored[]> =>
  (
    await pool().query<Stored>(
      'SELECT id, project_id AS "projectId", seq FROM events WHERE id = ANY ($1) ORDER BY seq',
      [ids],
    )
  ).rows

const deadlocks = async () =>
  Number(
    (await pool().query("SELECT deadlocks FROM pg_stat_database WHERE datname = current_database()")).rows[0].deadlocks,
  )

/** Every event has one number, no number comes twice in a shard, all are counted once, and each reader got its own in their order. */
async function expectOneStory(written: readonly string[], readers: readonly { projectId: string; ids: string[] }[]) {
  await expect
    .poll(async () => (await stored(written)).filter(({ seq }) => seq === null).length, { timeout: 20_000 })
    .toBe(0)
  const events = await stored(written)
  expect(events).toHaveLength(written.length)
  const places = events.map(({ projectId, seq }) => `${shardOf(projectId)} ${seq}`)
  expect(new Set(places).size).toBe(places.length)
  const { rows } = await pool().query<{ projectId: string; delivered: number }>(
    'SELECT project_id AS "projectId", sum(delivered)::int AS delivered FROM metric_hours GROUP BY 1',
  )
  const counts = new Map(rows.map(({ projectId, delivered }) => [projectId, delivered]))
  for (const { projectId, ids } of readers) {
    const own = events.filter((event) => event.projectId === projectId).map(({ id }) => id)
    await expect.poll(() => ids.length, { timeout: 10_000 }).toBe(own.length)
    expect(ids).toEqual(own)
    expect(counts.get(projectId) ?? 0).toBe(own.length)
  }
}

test.each([2, 4])(
  "%i dispatchers beside each other number every event once, and every reader gets its own",
  async (count) => {
    const failed = vi.spyOn(log, "error").mockReturnValue()
    const before = await deadlocks()
    const worlds = await newWorlds(40)
    const projects = worlds.map(({ projectId }) => projectId)
    const readers = await Promise.all(worlds.map(follow))
    const stop = new AbortController()
    const dispatchers = Array.from({ length: count }, () => runDispatcher(stop.signal))
    const written: string[] = []
    await Promise.all(Array.from({ length: 6 }, (_, nth) => writer(projects, nth, 60, written)))
    await expectOneStory(written, readers)
    stop.abort()
    await Promise.all(dispatchers)
    await Promise.all(readers.map(({ end }) => end()))
    expect(failed.mock.calls).toEqual([])
    expect(await deadlocks()).toBe(before)
  },
  60_000,
)

/** A round of a version that knows one order, as it was. @returns how many events it has numbered */
async function oldRound(client: pg.Client): Promise<number> {
  await client.query("BEGIN")
  const { rows: states } = await client.query(
    "SELECT last_seq FROM dispatch_state WHERE id = 1 ORDER BY id FOR NO KEY UPDATE SKIP LOCKED",
  )
  const { rows: events } = await client.query(
    `SELECT id, project_id AS "projectId", email_id AS "emailId", delivery_id AS "deliveryId", contact_id AS "contactId", type, data,
      occurred_at AS "occurredAt" FROM events WHERE seq IS NULL AND $1 ORDER BY id LIMIT 1000`,
    [states.length === 1],
  )
  if (events.length > 0) {
    const last = BigInt(states[0].last_seq)
    await client.query(
      `UPDATE events e SET seq = $2::bigint + given.position
        FROM unnest($1::uuid[]) WITH ORDINALITY AS given(id, position) WHERE e.id = given.id`,
      [events.map(({ id }) => id), String(last)],
    )
    await rollUp(
      client,
      events.map((event, index) => ({ ...event, seq: last + BigInt(index + 1) })),
    )
    await client.query(
      "UPDATE dispatch_state SET last_seq = $1::bigint WHERE id = 1 RETURNING pg_notify('mailroom_events', $1::text)",
      [String(last + BigInt(events.length))],
    )
  }
  await client.query("COMMIT")
  return events.length
}

test("a dispatcher of an older version works between two of this one, also before they know of it", async () => {
  const failed = vi.spyOn(log, "error").mockReturnValue()
  const worlds = await newWorlds(20)
  const projects = worlds.map(({ projectId }) => projectId)
  const readers = await Promise.all(worlds.map(follow))
  const stop = new AbortController()
  const dispatchers = [runDispatcher(stop.signal), runDispatcher(stop.signal)]
  const written: string[] = []
  let byOld = 0
  let isOver = false
  const old = (async () => {
    // It comes and goes, without the name by which it would be known.
    const client = await connected()
    while (!isOver) {
      byOld += await oldRound(client)
      await wait(20)
    }
    await client.end()
  })()
  await Promise.all(Array.from({ length: 6 }, (_, nth) => writer(projects, nth, 80, written)))
  await expectOneStory(written, readers)
  isOver = true
  await old
  stop.abort()
  await Promise.all(dispatchers)
  await Promise.all(readers.map(({ end }) => end()))
  expect(byOld).toBeGreaterThan(0)
  expect(byOld).toBeLessThan(written.length)
  expect(failed.mock.calls).toEqual([])
}, 60_000)

test("while a process of an older version is connected, events have one order, which its readers follow; before and after, they have not", async () => {
  const failed = vi.spyOn(log, "error").mockReturnValue()
  const changes = vi.spyOn(log, "info").mockReturnValue()
  const worlds = await newWorlds(20)
  const projects = worlds.map(({ projectId }) => projectId)
  const readers = await Promise.all(worlds.map(follow))
  const stop = new AbortController()
  const dispatchers = [runDispatcher(stop.signal), runDispatcher(stop.signal)]
  const written: string[] = []
  for (const name of ["mailroom old-host 4711", "mailroom mailroom_events", "mailroom"]) {
    await writer(projects, 1, 30, written)
    changes.mockClear()
    const old = await connected(name)
    await expect.poll(() => changes.mock.calls.length, { timeout: 10_000 }).toBeGreaterThanOrEqual(dispatchers.length)
    const end = async () => BigInt((await old.query("SELECT last_seq FROM dispatch_state")).rows[0].last_seq)
    let position = await end()
    const read: string[] = []
    const readOn = async () => {
      const to = await end()
      const { rows } = await old.query("SELECT id FROM events WHERE seq > $1 AND seq <= $2 ORDER BY seq", [
        position,
        to,
      ])
      read.push(...rows.map(({ id }) => id))
      position = to
    }
    const during: string[] = []
    const writing = Promise.all(Array.from({ length: 4 }, (_, nth) => writer(projects, nth, 30, during)))
    let isOver = false
    void writing.then(() => (isOver = true))
    while (!isOver) await readOn()
    await expect.poll(async () => (await readOn(), read.length), { timeout: 10_000 }).toBe(during.length)
    expect(read).toEqual((await stored(during)).map(({ id }) => id))
    written.push(...during)
    changes.mockClear()
    await old.end()
    await writer(projects, 2, 30, written)
    await expect.poll(() => changes.mock.calls.length, { timeout: 10_000 }).toBeGreaterThanOrEqual(dispatchers.length)
  }
  await writer(projects, 3, 30, written)
  await expectOneStory(written, readers)
  const { rows } = await pool().query("SELECT last_seq = reserved_seq AS by_shard FROM dispatch_state")
  expect(rows).toEqual([{ by_shard: true }])
  stop.abort()
  await Promise.all(dispatchers)
  await Promise.all(readers.map(({ end }) => end()))
  expect(failed.mock.calls).toEqual([])
}, 90_000)
