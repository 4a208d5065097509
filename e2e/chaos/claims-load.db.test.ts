import { afterAll, expect, test } from "vitest"
import { figures } from "@/e2e/support/chaos/figures"
import { size } from "@/e2e/support/chaos/size"
import { newSending, sendMail, type Sending } from "@/e2e/support/delivery/sending"
import { claimStatement, createDeliveryClaim } from "@/lib/delivery/queue/claims/data"
import { leaseQueues } from "@/lib/delivery/queue/queues/data"
import { writeHeartbeat } from "@/lib/delivery/regions/data"
import { createPaths } from "@/lib/delivery/regions/paths"
import { pool } from "@/lib/platform/database/db"

// What a claim costs where very much waits, beside a claim that knows no queues: it finds its mail by region, by the indexes for
// that, in a copy of the same rows.

const region = "eu-west-1"
const leaseMs = 600_000
const limit = 100
const claims = 300
const [waiting, domains] = [1_000_000, 50_000]
/** Each of the four biggest destinations has a tenth of all. */
const biggest = ["big.example", "bigger.example", "huge.example", "enormous.example"]
const projects = 20

const senders: Sending[] = []
const holder = createPaths()

afterAll(async () => {
  if (senders.length === 0) return
  await unhurried(
    ["DROP SCHEMA IF EXISTS before CASCADE"],
    ["UPDATE deliveries SET due_at = NULL WHERE due_at IS NOT NULL"],
    ["DELETE FROM delivery_queues WHERE kind = 'destination'"],
    ["DELETE FROM delivery_workers"],
  )
}, 300_000)

test.runIf(size(false, true))(
  `of ${waiting} that wait for ${domains} domains, a claim by queue takes at most 1.25 times as long a row as one by region, with the four biggest destinations paused, too (long)`,
  async () => {
    for (let at = 0; at < projects; at += 1) senders.push(await newSending(region))
    await unlimited()
    await fill()
    await copyBefore()
    await writeHeartbeat(holder)
    const byRegion = await rowMs(claimBefore, "before")
    const byQueue = await rowMs(createDeliveryClaim({ worker: holder.id }))
    await giveQueues()
    const withQueues = await rowMs(createDeliveryClaim({ worker: holder.id }))
    await pool().query(
      "UPDATE delivery_queues SET pause = 'slow', paused_until = now() + interval '1 day' WHERE kind = 'destination'",
    )
    const paused = await rowMs(createDeliveryClaim({ worker: holder.id }))
    const again = await rowMs(claimBefore, "before")
    const before = (byRegion.median + again.median) / 2
    figures(`a claim of ${limit}, ${waiting} waiting for ${domains} domains`, {
      "by region, ms a row": `${byRegion.median.toFixed(3)}, ${again.median.toFixed(3)}`,
      "by queue, of that": (byQueue.median / before).toFixed(2),
      "the biggest have queues": (withQueues.median / before).toFixed(2),
      "the biggest are paused": (paused.median / before).toFixed(2),
      "longest claim, ms": [byRegion, byQueue, withQueues, paused, again]
        .map(({ longest }) => longest.toFixed(0))
        .join(", "),
    })
    expect(byQueue.median / before).toBeLessThan(1.25)
    expect(withQueues.median / before).toBeLessThan(1.25)
    expect(paused.median / before).toBeLessThan(1.25)
  },
  900_000,
)

type Claim = (options: { region: typeof region; limit: number; leaseMs: number }) => Promise<unknown[]>

/** Milliseconds a row of a claim in the median, and of the longest claim as a whole. */
async function rowMs(claim: Claim, schema = "public"): Promise<{ median: number; longest: number }> {
  const took: { row: number; whole: number }[] = []
  for (let turn = 0; turn < claims; turn += 1) {
    await unlimited()
    const startedAt = performance.now()
    const rows = await claim({ region, limit, leaseMs })
    const whole = performance.now() - startedAt
    expect(rows, `claim ${turn} of ${schema}`).toHaveLength(limit)
    took.push({ row: whole / rows.length, whole })
  }
  const rows = took.map(({ row }) => row).sort((one, other) => one - other)
  return { median: rows[Math.floor(rows.length / 2)] ?? 0, longest: Math.max(...took.map(({ whole }) => whole)) }
}

/** The same statement over the copy, by region, and what else such a claim reads. */
async function claimBefore(options: { limit: number; leaseMs: number }): Promise<unknown[]> {
  await pool().query({
    name: "down.before",
    text: "SELECT route FROM region_outages WHERE route = $1",
    values: [region],
  })
  const statement = claimStatement
    .replaceAll("d.queue_id = $1", "d.region = $1")
    .replaceAll(/\bdeliveries d\b/g, "before.deliveries d")
  const { rows } = await pool().query<{ id: string | null; projectId: string }>({
    name: "claim.before",
    text: statement,
    values: [region, "00000000-0000-0000-0000-000000000000", 200, options.limit, options.leaseMs / 1_000],
  })
  return rows.filter(({ id }) => id !== null)
}

async function unlimited(): Promise<void> {
  const ids = senders.map(({ projectId }) => projectId)
  await pool().query("UPDATE projects SET per_second_sends = 1000000 WHERE id = ANY ($1)", [ids])
  await pool().query(
    `INSERT INTO delivery_allowances (project_id, tokens) SELECT unnest($1::uuid[]), 1000000
      ON CONFLICT (project_id) DO UPDATE SET tokens = excluded.tokens, refilled_at = now()`,
    [ids],
  )
}

async function fill(): Promise<void> {
  for (const sender of senders) {
    const [emailId] = await sendMail(sender)
    await unhurried([
      `INSERT INTO deliveries (id, project_id, email_id, region, queue_id, role, address, canonical, status, due_at)
        SELECT gen_random_uuid(), project_id, email_id, region, queue_id, role, m.to, m.to, status,
            now() - make_interval(secs => 3600 - 3600.0 * n / $2)
          FROM deliveries, generate_series(1, $2::int) n, LATERAL (SELECT 'person' || n || '@' ||
            CASE WHEN n % 10 < 4 THEN ($3::text[])[1 + n % 10] ELSE 'd' || (n::bigint * 7919 % $4) || '.example' END AS to) m
          WHERE email_id = $1`,
      [emailId, waiting / projects, biggest, domains],
    ])
  }
  await unhurried(["VACUUM (ANALYZE) deliveries"])
}

/** The same rows with the same indexes, but for those of queues, in whose place those of regions are. */
async function copyBefore(): Promise<void> {
  const { rows } = await pool().query<{ indexdef: string }>(
    "SELECT indexdef FROM pg_indexes WHERE schemaname = 'public' AND tablename = 'deliveries' AND indexdef NOT LIKE '%queue_id%'",
  )
  const byRegion = "ON before.deliveries (region, project_id, due_at) WHERE due_at IS NOT NULL"
  await unhurried(
    ["CREATE SCHEMA before"],
    ["CREATE TABLE before.deliveries (LIKE public.deliveries INCLUDING DEFAULTS)"],
    ["INSERT INTO before.deliveries SELECT * FROM public.deliveries WHERE due_at IS NOT NULL"],
    ...rows.map(({ indexdef }) => [indexdef.replace("ON public.deliveries", "ON before.deliveries")] as const),
    [`CREATE INDEX ${byRegion}`],
    ["CREATE INDEX ON before.deliveries (region, due_at) WHERE due_at IS NOT NULL"],
    [`CREATE INDEX ${byRegion} AND canonical LIKE '%@simulator.%'`],
    ["VACUUM (ANALYZE) before.deliveries"],
  )
}

async function giveQueues(): Promise<void> {
  for (const domain of biggest)
    await unhurried([
      `WITH destination AS (INSERT INTO destinations (key, hosts) VALUES ($2, '{}') RETURNING id), queue AS (
          INSERT INTO delivery_queues (region, kind, destination_id) SELECT $1, 'destination', id FROM destination RETURNING id)
        UPDATE deliveries SET queue_id = queue.id FROM queue WHERE due_at IS NOT NULL AND canonical LIKE '%@' || $2`,
      [region, domain],
    ])
  await unhurried(["VACUUM (ANALYZE) deliveries"])
  await leaseQueues(holder.id)
}

/** Statements that take as long as they need. */
async function unhurried(...statements: (readonly [text: string, values?: unknown[]])[]): Promise<void> {
  const client = await pool().connect()
  try {
    await client.query("SET statement_timeout = 0")
    for (const [text, values] of statements) await client.query(text, values)
  } finally {
    client.release(true)
  }
}
