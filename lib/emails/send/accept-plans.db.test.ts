import { expect, test } from "vitest"
import { newSending } from "@/e2e/support/delivery/sending"
import { pool, type Queryable, transaction } from "@/lib/platform/database/db"
import { newId } from "@/lib/platform/ids"

// The plans of the function are made once a connection. A new project makes them on tables that hold next to nothing, and
// nobody can say when the tables are analysed next.
test.each([
  ["empty", async () => undefined],
  [
    "analysed while they held next to nothing",
    async (client: Queryable) => client.query("ANALYZE emails, deliveries, email_bodies, suppressions"),
  ],
])(
  "a send reads no more rows when its project has thousands of emails and suppressions, though its plans were made on tables %s",
  async (_, prepare) => {
    const { projectId, domain } = await newSending()
    await transaction(async (client) => {
      const first = await acceptOne(client, projectId, domain)
      await client.query(
        "INSERT INTO suppressions (id, project_id, email, reason) SELECT gen_random_uuid(), $1, n || '@few.example', 'manual' FROM generate_series(1, 40) n",
        [projectId],
      )
      await prepare(client)
      for (let call = 0; call < 8; call++) await acceptOne(client, projectId, domain)
      await client.query(
        `INSERT INTO emails (id, project_id, idempotency_key, group_id, status, admitted_status, domain_id, from_header, subject, message_id)
        SELECT n.id, e.project_id, n.id::text, n.id, 'sent', 'queued', e.domain_id, e.from_header, e.subject, n.id::text
          FROM emails e, (SELECT gen_random_uuid() AS id FROM generate_series(1, 5000)) n WHERE e.id = $1`,
        [first],
      )
      await client.query(
        `INSERT INTO suppressions (id, project_id, email, reason)
        SELECT gen_random_uuid(), $1, n || '@c.example', 'manual' FROM generate_series(1, 5000) n`,
        [projectId],
      )
      const before = await rowsRead(client)
      await acceptOne(client, projectId, domain)
      await acceptOne(client, projectId, domain, "replay")
      await acceptOne(client, projectId, domain, "replay")
      expect((await rowsRead(client)) - before).toBeLessThan(50)
    })
  },
)

test("the plans of a send are made once a connection, whatever its size", async () => {
  const { rows } = await pool().query("SELECT proconfig FROM pg_proc WHERE proname = 'accept_emails'")
  expect(rows).toEqual([{ proconfig: expect.arrayContaining(["plan_cache_mode=force_generic_plan"]) }])
})

async function acceptOne(client: Queryable, projectId: string, domain: string, key: string = newId()): Promise<string> {
  const id = newId()
  const message = {
    ord: 0,
    idx: 0,
    id,
    group_id: id,
    from_header: "a",
    to_headers: ["b@c.example"],
    subject: "s",
    message_id: id,
  }
  const recipient = {
    ord: 0,
    id: newId(),
    message: id,
    role: "to",
    address: "b@c.example",
    canonical: "b@c.example",
    event_id: newId(),
  }
  const { rows } = await client.query("SELECT * FROM accept_emails($1, $2, $3, '{}', '{}', $4)", [
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
