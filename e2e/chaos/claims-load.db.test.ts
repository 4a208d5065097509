import { afterAll, expect, test } from "vitest"
import { figures } from "@/e2e/support/chaos/figures"
import { size } from "@/e2e/support/chaos/size"
import { newSending, sendMail, type Sending } from "@/e2e/support/delivery/sending"
import { claimStatement, createDeliveryClaim } from "@/lib/delivery/queue/claims/data"
import { leaseQueues } from "@/lib/delivery/queue/queues/data"
import { writeHeartbeat } from "@/lib/delivery/regions/data"
import { createPaths } from "@/lib/delivery/regions/region-rules"
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
    const claimByQueue = createDeliveryClaim({ worker: holder.id })
    // What first touches a million new rows pays for them: in each table alike, and in none of the figures.
    await compared(claimByQueue)
    const byQueue = await compared(claimByQueue)
    await giveQueues()
    const withQueues = await compared(claimByQueue)
    await pool().query(
      "UPDATE delivery_queues SET pause = 'slow', paused_until = now() + interval '1 day' WHERE kind = 'destination'",
    )
    const paused = await compared(claimByQueue)
    const all = [byQueue, withQueues, paused]
    figures(`a claim of ${limit}, ${waiting} waiting for ${domains} domains`, {
      "by region, ms a row": all.map(({ before }) => before.median.toFixed(3)).join(", "),
      "by queue, of that": byQueue.ratio.toFixed(2),
      "the biggest have queues": withQueues.ratio.toFixed(2),
      "the biggest are paused": paused.ratio.toFixed(2),
      "longest claim, ms": all
        .flatMap(({ before, now }) => [before.longest, now.longest].map((ms) => ms.toFixed(0)))
        .join(", "),
    })
    expect(byQueue.ratio).toBeLessThan(1.25)
    expect(withQueues.ratio).toBeLessThan(1.25)
    expect(paused.ratio).toBeLessThan(1.25)
  },
  900_000,
)

type Claim = (options: { region: typeof region; limit: number; leaseMs: number }) => Promise<unknown[]>

type Took = { median: number; longest: number }

/** Claims by region and by queue in turn, so that what else the machine does meets both alike. */
async function compared(claimByQueue: Claim): Promise<{ ratio: number; before: Took; now: Took }> {
  const took = { before: [] as number[], now: [] as number[] }
  for (let turn = 0; turn < claims; turn += 1) {
    await unlimited()
    took.before.push(await claimMs(claimBefore, `claim ${turn} by region`))
    took.now.push(await claimMs(claimByQueue, `claim ${turn} by queue`))
  }
  const [before, now] = [tookOf(took.before), tookOf(took.now)]
  return { ratio: now.median / before.median, before, now }
}

async function claimMs(claim: Claim, name: string): Promise<number> {
  const startedAt = performance.now()
  const rows = await claim({ region, limit, leaseMs })
  const ms = performance.now() - startedAt
  expect(rows, name).toHaveLength(limit)
  return ms
}

/** Milliseconds a row in the median, and of the longest claim as a whole. */
function tookOf(claimsMs: number[]): Took {
  const sorted = claimsMs.toSorted((one, other) => one - other)
  return { median: (sorted[Math.floor(sorted.length / 2)] ?? 0) / limit, longest: sorted.at(-1) ?? 0 }
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
    values: [region, "00000000-0000-0000-0000-000000000000", 200, options.limit, options.leaseMs / 1_000, []],
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
    ["CHECKPOINT"],
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
  await unhurried(["VACUUM (ANALYZE) deliveries"], ["CHECKPOINT"])
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
