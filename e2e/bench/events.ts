import { setTimeout as wait } from "node:timers/promises"
import type { Stage } from "@/e2e/bench/stage"
import { median, type Row } from "@/e2e/bench/table"
import { makeWorld, type World } from "@/e2e/bench/world"
import { pool } from "@/lib/platform/database/db"
import { regionNames } from "@/lib/regions/regions"

const organizations = 20
/** Of each recipient: handed over, and delivered. */
const eventsOfEmail = 2
const pollEveryMs = 20
/** Neither the start nor the last stragglers are what a worker does all day. */
const [countedFrom, countedTo] = [0.1, 0.9]

/**
 * Events that workers number, count by hour and day, and hand to the readers of the stream a second, of a full queue that twenty
 * organizations have filled: one worker, then two.
 */
export async function measureEvents(
  stage: Stage,
  { rounds, events }: { rounds: number; events: number },
): Promise<Row[]> {
  const worlds: World[] = []
  for (let at = 0; at < organizations; at++) worlds.push(await makeWorld(1, { suppressed: 0 }))
  const emails = Math.ceil(events / organizations / eventsOfEmail)
  // The first numbers are reserved by it.
  await fill(worlds, 1)
  const first = await stage.startWorker()
  await dispatched()
  await first.stop()
  const rates = { one: [] as number[], two: [] as number[] }
  for (let round = 0; round < rounds; round++) {
    rates.one.push(await rateOf(stage, worlds, { emails, workers: 1 }))
    rates.two.push(await rateOf(stage, worlds, { emails, workers: 2 }))
  }
  return [
    { what: `events dispatched a second, one worker`, measured: "", value: median(rates.one), unit: "/s" },
    {
      what: `events dispatched a second, two workers`,
      measured: "",
      ...{ value: median(rates.two), unit: "/s", goal: 20_000 },
    },
  ]
}

async function rateOf(stage: Stage, worlds: readonly World[], plan: { emails: number; workers: number }) {
  const before = await numbered()
  const count = await fill(worlds, plan.emails)
  const workers = await Promise.all(Array.from({ length: plan.workers }, () => stage.startWorker()))
  try {
    return await steadyRate(before, count)
  } finally {
    await Promise.all(workers.map((worker) => worker.stop()))
  }
}

async function steadyRate(before: number, count: number): Promise<number> {
  let from: { at: number; done: number } | undefined
  for (;;) {
    const done = (await numbered()) - before
    const at = performance.now()
    if (!from && done >= count * countedFrom) from = { at, done }
    if (from && done >= count * countedTo) return ((done - from.done) / (at - from.at)) * 1_000
    await wait(pollEveryMs)
  }
}

async function dispatched() {
  while ((await pool().query("SELECT 1 FROM events WHERE seq IS NULL LIMIT 1")).rowCount) await wait(pollEveryMs)
}

/** Rises by one with each event that gets a number. To count those that wait would take processor time from the workers. */
async function numbered(): Promise<number> {
  const { rows } = await pool().query<{ n: number }>("SELECT sum(last_seq)::float8 AS n FROM dispatch_shards")
  return rows[0]?.n ?? 0
}

/** Delivered emails whose events nobody has dispatched, in one transaction: a worker sees none of them before it sees all. */
async function fill(worlds: readonly World[], emails: number): Promise<number> {
  const client = await pool().connect()
  try {
    await client.query("SET statement_timeout = 0")
    await client.query("SET idle_in_transaction_session_timeout = 0")
    const { rows } = await client.query<{ events: number }>(filling, [
      worlds.map(({ projectId }) => projectId),
      worlds.map(({ domainId }) => domainId),
      emails,
      regionNames[0],
    ])
    await client.query("VACUUM (ANALYZE) emails, deliveries, events")
    return rows[0]?.events ?? 0
  } finally {
    client.release(true)
  }
}

const filling = `WITH made AS (
    SELECT w.project_id, w.domain_id, n, uuidv7() AS email_id, uuidv7() AS delivery_id
      FROM generate_series(1, $3::int) n, unnest($1::uuid[], $2::uuid[]) AS w(project_id, domain_id)
  ), emails AS (
    INSERT INTO emails (id, project_id, group_id, status, admitted_status, domain_id, from_header, to_headers, cc_headers, bcc_headers,
        subject, message_id, tags, size, sent_at)
      SELECT email_id, project_id, email_id, 'delivered', 'queued', domain_id, 'Acme <hello@acme.example>',
          ARRAY['person' || n || '@customers.example'], '{}', '{}', 'Your order ' || n || ' is on its way',
          '<' || email_id || '@acme.example>', '{"kind":"order"}', 2000, now()
        FROM made
  ), deliveries AS (
    INSERT INTO deliveries (id, project_id, email_id, region, role, address, canonical, status, attempt, attempt_count)
      SELECT delivery_id, project_id, email_id, $4, 'to', 'person' || n || '@customers.example', 'person' || n || '@customers.example',
          'delivered', 1, 1
        FROM made
  ), events AS (
    INSERT INTO events (id, project_id, email_id, delivery_id, type, data)
      SELECT uuidv7(), project_id, email_id, delivery_id, t.type, jsonb_build_object('to', 'person' || n || '@customers.example')
        FROM made, unnest(ARRAY['sent', 'delivered']) AS t(type)
      RETURNING 1
  )
  SELECT count(*)::int AS events FROM events`
