import pg from "pg"
import { beforeAll, describe, expect, test } from "vitest"
import { formatNumber } from "@/lib/platform/format"
import { size } from "@/e2e/support/chaos/size"
import { api, newWorld, type World } from "@/e2e/support/world"
import { counters } from "@/lib/metrics/rules"
import { pool } from "@/lib/platform/database/db"
import { columnOf } from "@/lib/platform/database/shape"
import { env } from "@/lib/platform/env/env"
import { newId } from "@/lib/platform/ids"

/** Events of the small and of the large project. */
const few = 10_000
const many = size(100_000, 10_000_000)
const rounds = size(11, 31)
const now = new Date()
const io = { clock: { now: () => now } }

let small: World
let large: World

const reads: [string, Parameters<typeof api>[0], Record<string, string>][] = [
  ["summary of 90 days, compared", "GET /v1/metrics/summary", { window: "90d", compare: "previous" }],
  ["timeline of 90 days", "GET /v1/metrics/timeline", { window: "90d" }],
  [
    "breakdown by provider, compared",
    "GET /v1/metrics/breakdown",
    { by: "provider", window: "90d", compare: "previous" },
  ],
  ["advisor", "GET /v1/metrics/advisor", {}],
]

const read = (world: World, [, route, query]: (typeof reads)[number]) => api(route, { key: world.apiKey, query, io })

/** Events over 90 days to 300 domains, four of each email, and the counters that the dispatcher would have kept of them. */
async function fill({ projectId }: World, events: number): Promise<void> {
  const client = await pool().connect()
  try {
    await client.query("SET statement_timeout = 0")
    await client.query("SELECT ensure_partitions(now() - interval '95 days', now())")
    const step = 500_000
    for (let from = 0; from < events; from += step) {
      await client.query(
        `INSERT INTO events (id, project_id, email_id, delivery_id, type, data, seq, occurred_at)
          SELECT overlay(overlay(first_id_at(at)::text placing lpad(to_hex(n), 12, '0') from 25)
                placing substr(md5($1::text), 1, 3) from 21)::uuid, $1::uuid,
              overlay($5::text placing lpad(to_hex(n / 4), 12, '0') from 25)::uuid,
              overlay($5::text placing lpad(to_hex(n / 4), 12, '0') from 25)::uuid,
              (ARRAY['sent', 'delivered', 'opened', 'clicked'])[n % 4 + 1],
              jsonb_build_object('to', 'a@firm-' || n / 4 % 300 || '.example'), n, at
            FROM generate_series($2::int, least($3::int, $4::int) - 1) n,
              LATERAL (SELECT $6::timestamptz - interval '90 days' + interval '90 days' * (n / 4 * 4) / $4) moment(at)`,
        [projectId, from, from + step, events, newId(), now],
      )
    }
    const counts = counters.map((name) =>
      ["sent", "delivered", "opened", "clicked"].includes(name)
        ? `count(*) FILTER (WHERE type = '${name}')`
        : name === "anyOpens"
          ? "count(*) FILTER (WHERE type = 'opened')"
          : "0",
    )
    const columns = counters.map(columnOf).join(", ")
    await client.query(
      `INSERT INTO metric_hours (project_id, hour, ${columns})
        SELECT project_id, date_trunc('hour', occurred_at), ${counts.join(", ")} FROM events WHERE project_id = $1 GROUP BY 1, 2`,
      [projectId],
    )
    for (const grain of ["hour", "day"]) {
      await client.query(
        `INSERT INTO metric_slices (project_id, dimension, grain, starts_at, key, ${columns})
          SELECT project_id, 'provider', $2::text, date_trunc($2::text, occurred_at, 'UTC'),
              CASE WHEN substring(data ->> 'to' FROM '[0-9]+')::int < 199 THEN split_part(data ->> 'to', '@', 2) ELSE '' END, ${counts.join(", ")}
            FROM events WHERE project_id = $1 GROUP BY 1, 4, 5`,
        [projectId, grain],
      )
    }
    await client.query("ANALYZE metric_hours, metric_slices, events")
  } finally {
    client.release(true)
  }
}

beforeAll(async () => {
  small = await newWorld()
  large = await newWorld()
  await fill(small, few)
  await fill(large, many)
}, 3_600_000)

describe("what the figures cost", () => {
  test("the large project has counted all of its events", async () => {
    for (const [world, events] of [
      [small, few],
      [large, many],
    ] as const) {
      const { json } = await api("GET /v1/metrics/summary", {
        key: world.apiKey,
        query: { from: new Date(now.getTime() - 91 * 86_400_000).toISOString() },
        io,
      })
      expect({ sent: json.sent, clicked: json.clicked }).toEqual({ sent: events / 4, clicked: events / 4 })
      const { rows } = await pool().query("SELECT count(*)::int AS count FROM events WHERE project_id = $1", [
        world.projectId,
      ])
      expect(rows[0].count).toBe(events)
    }
  }, 600_000)

  test("none of them reads an email, a delivery or an event", async () => {
    const locker = new pg.Client({ connectionString: env().databaseUrl })
    await locker.connect()
    await locker.query("BEGIN")
    // Whoever reads one of these now waits until its statement times out, and answers 503.
    await locker.query(
      "LOCK TABLE emails, email_bodies, email_contents, deliveries, delivery_attempts, events IN ACCESS EXCLUSIVE MODE",
    )
    try {
      for (const one of reads) expect((await read(large, one)).status, one[0]).toBe(200)
      const locked = await api("GET /v1/projects/{projectId}/emails", {
        key: large.apiKey,
        params: { projectId: large.project },
        io,
      })
      expect(locked.status).toBe(503)
    } finally {
      await locker.end()
    }
  }, 60_000)

  test("they read as many rows of a large project as of a small one", async () => {
    const rows = async ({ projectId }: World) =>
      (
        await pool().query(
          `SELECT (SELECT count(*) FROM metric_hours WHERE project_id = $1)::int AS hours,
            (SELECT max(keys) FROM (SELECT count(*)::int AS keys FROM metric_slices
              WHERE project_id = $1 AND grain = 'day' GROUP BY starts_at) days) AS keys`,
          [projectId],
        )
      ).rows[0]
    expect((await rows(large)).hours).toBeLessThanOrEqual(90 * 24 + 1)
    expect((await rows(large)).keys).toBeLessThanOrEqual(200)
    expect((await rows(small)).hours).toBeGreaterThan(1_000)
  })

  test("they take about as long however many events there are", async () => {
    const figures: Record<string, [number, number]> = {}
    for (const one of reads) {
      const times: [number[], number[]] = [[], []]
      for (let round = -2; round < rounds; round++) {
        for (const [at, world] of [small, large].entries()) {
          const startedAt = performance.now()
          expect((await read(world, one)).status).toBe(200)
          if (round >= 0) times[at]?.push(performance.now() - startedAt)
        }
      }
      figures[one[0]] = [median(times[0]), median(times[1])]
    }
    const lines = Object.entries(figures).map(([name, [a, b]]) => `${name}: ${a.toFixed(1)} ms, ${b.toFixed(1)} ms`)
    process.stdout.write(`\nMetrics of ${formatNumber(few)} and ${formatNumber(many)} events:\n${lines.join("\n")}\n`)
    // A day keeps up to 200 keys, whatever its volume: the bound is that of a project that uses them all.
    for (const [name, [a, b]] of Object.entries(figures)) expect(b < 3 * a + 25, name).toBe(true)
  }, 120_000)
})

function median(times: number[]): number {
  return times.toSorted((a, b) => a - b)[Math.floor(times.length / 2)] ?? 0
}
