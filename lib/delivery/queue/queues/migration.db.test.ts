import { readFileSync } from "node:fs"
import { expect, test } from "vitest"
import { measured } from "@/e2e/support/measured"
import { newSending, sendMail } from "@/e2e/support/delivery/sending"
import { createDeliveryClaim } from "@/lib/delivery/queue/claims/data"
import { pool, transaction } from "@/lib/platform/database/db"
import { statementsOf } from "@/lib/platform/database/migrations"

const waiting = 5_000
const region = "eu-west-1"
const simulated = "delivered@simulator.mailroom.test"

test(
  "mail of the release before is claimed from its queue after the migration, during which no writer waits for a second",
  measured,
  async () => {
    await pool().query("UPDATE deliveries SET due_at = NULL")
    const sender = await newSending()
    const here = await sendMail(sender, { to: ["ada@x.example"], cc: [simulated] })
    const elsewhere = await sendMail(await newSending("us-east-1"))
    const scheduled = await sendMail(sender, { scheduledAt: new Date(Date.now() + 3_600_000).toISOString() })
    const ended = await sendMail(sender)
    await pool().query("UPDATE deliveries SET status = 'delivered', due_at = NULL WHERE email_id = ANY ($1)", [ended])
    const many = await sendMail(sender)
    await copy(many[0] ?? "")
    await asBefore()

    const writing = new AbortController()
    const longestMs = writeUntil(writing.signal, many[0] ?? "")
    // Once more as after a failure half way.
    await migrate()
    await migrate()
    writing.abort()
    expect(await longestMs).toBeLessThan(1_000)

    const { rows } = await pool().query(
      "SELECT status, queue_id IS NOT NULL AS queued, count(*)::int FROM deliveries WHERE project_id = $1 GROUP BY 1, 2 ORDER BY 1",
      [sender.projectId],
    )
    expect(rows.filter(({ status }) => status !== "queued")).toEqual([
      { status: "delivered", queued: false, count: 1 },
      { status: "scheduled", queued: true, count: 1 },
    ])
    expect(scheduled).toHaveLength(1)
    expect(rows.filter(({ status, queued }) => status === "queued" && !queued)).toEqual([])

    await pool().query("UPDATE deliveries SET due_at = NULL WHERE email_id = ANY ($1)", [many])
    const claimed = async (place: "eu-west-1" | "us-east-1", down: string[]) =>
      (await createDeliveryClaim({ onDown: () => down })({ region: place, limit: 100, leaseMs: -1_000 }))
        .filter(({ emailId }) => [...here, ...elsewhere].includes(emailId))
        .map(({ canonical }) => canonical)
    expect(await claimed(region, [region])).toEqual([simulated])
    expect(await claimed(region, ["simulator"])).toEqual(["ada@x.example"])
    expect(await claimed("us-east-1", [])).toEqual(["ada@lovelace.example"])
  },
)

/** As it is sent: each statement by itself. */
async function migrate() {
  const sql = readFileSync("prisma/migrations/0044_delivery_queues/migration.sql", "utf8")
  for (const statement of statementsOf(sql)) await pool().query(statement)
}

/** What the release before had: its indexes, and deliveries without a queue. */
async function asBefore() {
  await pool().query("ALTER TABLE deliveries DROP CONSTRAINT deliveries_queued")
  await pool().query("DROP INDEX deliveries_queue, deliveries_queue_due")
  await pool().query("DROP TRIGGER deliveries_assign_queue ON deliveries")
  await pool().query("UPDATE deliveries SET queue_id = NULL")
  await pool().query("CREATE INDEX deliveries_due ON deliveries (region, project_id, due_at) WHERE due_at IS NOT NULL")
}

async function copy(emailId: string) {
  await pool().query(
    `INSERT INTO deliveries (id, project_id, email_id, region, role, address, canonical, status, due_at)
      SELECT gen_random_uuid(), project_id, email_id, region, role, address, canonical, status, due_at
        FROM deliveries, generate_series(2, $2::int) WHERE email_id = $1`,
    [emailId, waiting],
  )
}

/** Accepts and moves mail as hosts of the release before do, without a queue; the longest that one statement took. */
async function writeUntil(signal: AbortSignal, emailId: string): Promise<number> {
  let longest = 0
  while (!signal.aborted) {
    const begun = performance.now()
    await transaction(async (client) => {
      await client.query(
        `INSERT INTO deliveries (id, project_id, email_id, region, role, address, canonical, status, due_at)
          SELECT gen_random_uuid(), project_id, email_id, region, role, address, canonical, status, due_at
            FROM deliveries WHERE email_id = $1 AND due_at IS NOT NULL LIMIT 1`,
        [emailId],
      )
      await client.query(
        `UPDATE deliveries SET due_at = now(), attempt = attempt + 1 WHERE id = (
          SELECT id FROM deliveries WHERE email_id = $1 AND due_at IS NOT NULL LIMIT 1 FOR UPDATE SKIP LOCKED)`,
        [emailId],
      )
    })
    longest = Math.max(longest, performance.now() - begun)
  }
  return longest
}
