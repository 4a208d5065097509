import { expect, test } from "vitest"
import { newSending } from "@/lib/delivery/testing/sending"
import { transaction, type Queryable } from "@/lib/platform/db"
import { newId } from "@/lib/platform/ids"

// PostgreSQL keeps the plans of a function from its first calls, which a new project makes on empty tables, until the
// tables are analysed: the embedded server looks every ten seconds whether one should be.
test("a send reads no more rows when its project has thousands of emails, though the plans were made without", async () => {
  const { projectId, domain } = await newSending()
  await transaction(async (client) => {
    for (let call = 0; call < 8; call++) await acceptOne(client, projectId, domain)
    const first = await acceptOne(client, projectId, domain)
    await client.query(
      `INSERT INTO emails (id, project_id, idempotency_key, group_id, status, admitted_status, domain_id, from_header, subject, message_id)
        SELECT n.id, e.project_id, n.id::text, n.id, 'sent', 'queued', e.domain_id, e.from_header, e.subject, n.id::text
          FROM emails e, (SELECT gen_random_uuid() AS id FROM generate_series(1, 5000)) n WHERE e.id = $1`,
      [first],
    )
    await client.query("ANALYZE emails, deliveries, email_bodies")
    const before = await rowsRead(client)
    await acceptOne(client, projectId, domain)
    await acceptOne(client, projectId, domain, "replay")
    await acceptOne(client, projectId, domain, "replay")
    expect((await rowsRead(client)) - before).toBeLessThan(50)
  })
})

async function acceptOne(client: Queryable, projectId: string, domain: string, key: string = newId()): Promise<string> {
  const id = newId()
  const message = { ord: 0, idx: 0, id, group_id: id, from_header: "a", to_headers: ["b@c.example"], subject: "s", message_id: id }
  const recipient = { ord: 0, id: newId(), message: id, role: "to", address: "b@c.example", canonical: "b@c.example", event_id: newId() }
  const { rows } = await client.query("SELECT * FROM accept_sends($1, $2, $3, $4)", [
    projectId,
    JSON.stringify([{ ord: 0, key, domain, free: true }]),
    JSON.stringify([{ ...message, category: "transactional", test_mode: false, size: 1, event_id: newId() }]),
    JSON.stringify([recipient]),
  ])
  return rows[0].id
}

/** Rows that this transaction has read of the tables that grow with a project. */
async function rowsRead(client: Queryable): Promise<number> {
  const { rows } = await client.query<{ read: string }>(
    `SELECT sum(seq_tup_read + idx_tup_fetch) AS read FROM pg_stat_xact_user_tables
      WHERE relname IN ('emails', 'deliveries', 'suppressions', 'email_bodies')`,
  )
  return Number(rows[0]?.read)
}
