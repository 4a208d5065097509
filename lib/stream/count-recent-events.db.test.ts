import { beforeAll, expect, test, vi } from "vitest"
import { holdStatements } from "@/e2e/support/platform/held-statements"
import { api, newWorld, type World } from "@/e2e/support/world"
import { databaseTime } from "@/lib/platform/database/clock-sql"
import { pool } from "@/lib/platform/database/db"
import { encodeId } from "@/lib/platform/ids"
import { isDatabaseTime } from "@/e2e/support/platform/clocks"
import { countedEventsMax } from "@/lib/stream/data"
import { hourBefore, periodMs } from "@/lib/stream/rules"

/** The begin of the two minutes in which the tests begin. */
let period: number
beforeAll(async () => {
  period = Math.floor((await databaseTime()).getTime() / periodMs) * periodMs
})

const minutesAgo = (minutes: number) => new Date(period - minutes * 60_000)

type Happening = { type?: string; count?: number; occurred?: Date; written?: Date | null }

/** Events of the project, numbered as the dispatcher does. The result is the id of the last one. */
async function happen({ projectId }: World, { type, count, occurred, written }: Happening = {}): Promise<string> {
  const { rows } = await pool().query<{ id: string }>(
    `WITH numbered AS (UPDATE dispatch_state SET last_seq = last_seq + $3::int RETURNING last_seq - $3::int AS before),
      added AS (
        INSERT INTO events (id, project_id, email_id, type, data, seq, occurred_at, created_at)
          SELECT uuidv7(coalesce($5, clock_timestamp()) - clock_timestamp()), $1, gen_random_uuid(), $2, '{}', before + n,
              coalesce($4, $5, now()), coalesce($5, now())
            FROM numbered, generate_series(1, $3::int) n
          RETURNING id, seq
      )
      SELECT id FROM added ORDER BY seq DESC LIMIT 1`,
    [projectId, type ?? "delivered", count ?? 1, occurred, written],
  )
  return encodeId("evt", rows[0]?.id ?? "")
}

type Counts = { since: string; until: string; last?: string; data: { at: string; type: string; count: number }[] }

async function counts(world: World): Promise<Counts> {
  const { status, json } = await api("GET /v1/projects/{projectId}/events/counts", {
    key: world.apiKey,
    params: { projectId: world.project },
  })
  expect(status).toBe(200)
  return json as Counts
}

const hourOf = ({ until }: Counts) => hourBefore(new Date(until)).toISOString()
const totalOf = ({ data }: Counts) => data.reduce((sum, { count }) => sum + count, 0)

test("events of the last hour are counted by two minutes and type, late ones when they occurred", async () => {
  const [world, other] = [await newWorld(), await newWorld()]
  await happen(other)
  const nothing = await counts(world)
  expect(nothing).toEqual({ since: hourOf(nothing), until: nothing.until, data: [] })
  expect(await isDatabaseTime(new Date(nothing.until))).toBe(true)

  await happen(world, { written: minutesAgo(61) })
  await happen(world, { occurred: minutesAgo(61) })
  await happen(world, { written: minutesAgo(50), type: "sent", count: 3 })
  await happen(world, { occurred: minutesAgo(19), type: "opened" })
  const last = await happen(world, { occurred: minutesAgo(0), type: "bounced", count: 2 })
  // The stream does not carry it.
  await happen(world, { type: "queued" })

  const found = await counts(world)
  expect(found).toMatchObject({ since: hourOf(found), last })
  expect(found.data).toEqual([
    { at: minutesAgo(50).toISOString(), type: "sent", count: 3 },
    { at: minutesAgo(20).toISOString(), type: "opened", count: 1 },
    { at: minutesAgo(0).toISOString(), type: "bounced", count: 2 },
  ])
})

test("an event that has no place in the public order yet is not counted", async () => {
  const world = await newWorld()
  await happen(world)
  await pool().query("UPDATE events SET seq = NULL WHERE project_id = $1", [world.projectId])
  expect((await counts(world)).data).toEqual([])
})

test("a busy project gets the counts of its newest events, complete from `since` on", async () => {
  const world = await newWorld()
  await happen(world, { written: minutesAgo(90), count: countedEventsMax })
  await happen(world, { type: "sent" })
  const quiet = await counts(world)
  expect({ since: quiet.since, total: totalOf(quiet) }).toEqual({ since: hourOf(quiet), total: 1 })

  await happen(world, { count: countedEventsMax - 1 })
  expect(totalOf(await counts(world))).toBe(countedEventsMax)

  const before = await databaseTime()
  await happen(world, { count: countedEventsMax })
  const over = await counts(world)
  expect(Date.parse(over.since)).toBeGreaterThanOrEqual(before.getTime())
  expect(totalOf(over)).toEqual(countedEventsMax)
  expect(over.data.some(({ type }) => type === "sent")).toBe(false)
})

test("of the counts of a project one runs at a time", async () => {
  const [world, other] = [await newWorld(), await newWorld()]
  const { held, release } = holdStatements("WITH newest AS MATERIALIZED")
  const counted = [counts(world), counts(world), counts(world), counts(other)]
  await vi.waitFor(() => expect(held.length).toBeGreaterThan(1))
  await newWorld()
  const sent = held.length
  release()
  expect(sent, "statements of two projects").toBe(2)
  await Promise.all(counted)
})
