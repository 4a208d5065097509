import { expect, test } from "vitest"
import { newWorld } from "@/e2e/support/world"
import { eventsBefore } from "@/lib/metrics/roll-up/data"
import { transaction, type Queryable } from "@/lib/platform/database/db"
import { newId } from "@/lib/platform/ids"

// Nobody can say when a table is analysed next, and a busy project adds thousands of events until then.
test.each([
  ["empty", async () => undefined],
  ["analysed while they held next to nothing", async (client: Queryable) => client.query("ANALYZE events")],
])("what was counted before is found without a project's other events, on tables %s", async (_, prepare) => {
  const { projectId } = await newWorld()
  await transaction(async (client) => {
    // As the dispatcher's transaction.
    await client.query(
      "SET LOCAL enable_seqscan = off; SET LOCAL enable_hashjoin = off; SET LOCAL enable_mergejoin = off",
    )
    const emailIds = Array.from({ length: 300 }, () => newId())
    await addEvents(client, projectId, emailIds)
    await prepare(client)
    await addEvents(
      client,
      projectId,
      Array.from({ length: 5_000 }, () => newId()),
    )
    const events = emailIds.map((emailId) => ({
      ...{ projectId, emailId, deliveryId: null, type: "delivered", data: {}, occurredAt: new Date(), seq: 10_000n },
    }))
    for (let call = 0; call < 8; call++) {
      const before = await eventsRead(client)
      const found = (await eventsBefore(client, events)).map(({ emailId, type }) => `${emailId} ${type}`)
      expect(found.toSorted()).toEqual(emailIds.map((id) => `${id} sent`))
      expect((await eventsRead(client)) - before).toBeLessThan(400)
    }
  })
})

async function addEvents(client: Queryable, projectId: string, emailIds: readonly string[]) {
  await client.query(
    `INSERT INTO events (id, project_id, email_id, type, data, seq, occurred_at)
      SELECT g.id, $1, g.email_id, 'sent', '{}', g.seq, now() FROM unnest($2::uuid[], $3::uuid[]) WITH ORDINALITY AS g(id, email_id, seq)`,
    [projectId, emailIds.map(() => newId()), emailIds],
  )
}

/** Events that this transaction has read. */
async function eventsRead(client: Queryable): Promise<number> {
  const { rows } = await client.query<{ read: string }>(
    "SELECT sum(seq_tup_read + idx_tup_fetch) AS read FROM pg_stat_xact_user_tables WHERE relname LIKE 'events%'",
  )
  return Number(rows[0]?.read)
}
