import type pg from "pg"
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest"
import type { ClaimOutcome } from "@/lib/delivery/queue/outcome"
import { suppressSoft } from "@/lib/delivery/queue/outcomes/data"
import { newSending, type Sending } from "@/e2e/support/delivery/sending"
import { pool } from "@/lib/platform/database/db"
import { newId } from "@/lib/platform/ids"

let sender: Sending
let client: pg.PoolClient
const address = "full@x.example"

beforeAll(async () => {
  sender = await newSending()
  client = await pool().connect()
  await client.query("SET session_replication_role = replica")
})
beforeEach(() => client.query("TRUNCATE deliveries, suppressions CASCADE"))
afterAll(() => client.release(true))

type Past = { daysAgo: number; delivered?: boolean; count?: number; status?: string }

async function add({ daysAgo, delivered = false, count = 1, status = delivered ? "delivered" : "bounced" }: Past) {
  await client.query(
    `INSERT INTO deliveries (id, project_id, email_id, region, role, address, canonical, status, bounce_type, ended_at, delivered_at)
      SELECT gen_random_uuid(), $1, first_id_at(now() - make_interval(days => $3, secs => at)), 'eu-west-1', 'to', $2, $2,
        $6, CASE WHEN $6 = 'bounced' THEN 'soft' END, now() - make_interval(days => $3),
        CASE WHEN $4 THEN now() - make_interval(days => $3) END FROM generate_series(1, $5::int) AS at`,
    [sender.projectId, address, daysAgo, delivered, count, status],
  )
}

const outcome = () =>
  ({
    claimed: { id: newId(), projectId: sender.projectId, emailId: newId(), canonical: address },
    bounceType: "soft",
  }) as ClaimOutcome

async function isSuppressed(): Promise<boolean> {
  await suppressSoft(client, [outcome()])
  return (await client.query("SELECT 1 FROM suppressions WHERE email = $1", [address])).rowCount === 1
}

test("three soft bounces within 30 days suppress; two, or a third that is older, do not", async () => {
  await add({ daysAgo: 31 })
  await add({ daysAgo: 20 })
  await add({ daysAgo: 10 })
  expect(await isSuppressed()).toBe(false)
  await add({ daysAgo: 0 })
  expect(await isSuppressed()).toBe(true)
})

test.each(["sent", "opened", "clicked", "complained"])(
  "mail that is %s since the first of the three lets the count begin anew, where nobody reports delivery",
  async (status) => {
    for (const daysAgo of [9, 8, 6]) await add({ daysAgo })
    await add({ daysAgo: 7, status })
    expect(await isSuppressed()).toBe(false)
  },
)

test("a delivery since the first of the three lets the count begin anew", async () => {
  for (const daysAgo of [9, 8, 6]) await add({ daysAgo })
  await add({ daysAgo: 7, delivered: true })
  expect(await isSuppressed()).toBe(false)
  for (const daysAgo of [5, 4]) await add({ daysAgo })
  expect(await isSuppressed()).toBe(true)
})

test("of an address with 30,000 deliveries a soft bounce reads at most what 1,000 of them take", async () => {
  await add({ daysAgo: 40, delivered: true, count: 30_000 })
  for (const daysAgo of [3, 2, 1]) await add({ daysAgo })
  await client.query("ANALYZE deliveries")
  const plans: { Plan: Record<string, number> }[] = []
  const explaining = {
    query: async (text: string, values: unknown[]) => {
      const { rows } = await client.query(`EXPLAIN (ANALYZE, BUFFERS, FORMAT JSON) ${text}`, values)
      plans.push(rows[0]["QUERY PLAN"][0])
    },
  }
  await suppressSoft(explaining as unknown as pg.PoolClient, [outcome()])
  const pages = (plans[0]?.Plan["Shared Hit Blocks"] ?? 0) + (plans[0]?.Plan["Shared Read Blocks"] ?? 0)
  expect(pages).toBeLessThan(1_200)
  expect((await client.query("SELECT 1 FROM suppressions")).rowCount).toBe(1)
})
