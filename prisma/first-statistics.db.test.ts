import pg from "pg"
import { expect, test } from "vitest"
import { newSending } from "@/e2e/support/delivery/sending"
import { pool } from "@/lib/platform/database/db"
import { env } from "@/lib/platform/env/env"

// An index of one page seemed cheaper than the right one, as soon as that had two levels. A connection keeps the plans that it makes.
test("a key and a body are found by their index, whenever a plan is made in the first minute of a new installation", async () => {
  const { projectId, domainId } = await newSending()
  const plans: string[] = []
  for (let stored = 0; stored < 2_000; stored += 20) {
    await pool().query(
      `WITH stored AS (
        INSERT INTO emails (id, project_id, idempotency_key, group_id, status, admitted_status, domain_id, from_header, subject, message_id)
          SELECT n.id, $1, gen_random_uuid()::text, n.id, 'sent', 'queued', $2, 'ada@acme.test', 'Hello', n.id::text
            FROM (SELECT uuidv7() AS id FROM generate_series(1, 20)) n
          RETURNING id, project_id
      ) INSERT INTO email_bodies (project_id, email_id, text) SELECT project_id, id, repeat('x', 500) FROM stored`,
      [projectId, domainId],
    )
    plans.push(
      ...(await planned("SELECT id FROM emails WHERE project_id = $1 AND idempotency_key = $2")),
      ...(await planned("SELECT text FROM email_bodies WHERE project_id = $1 AND email_id = $2::uuid")),
    )
  }
  expect(new Set(plans.map((plan) => plan.replace(/ *\(cost=[\d.]+ rows=(\d+) .*/, ", $1 row")))).toEqual(
    new Set([
      "Index Scan using emails_idempotency on emails, 1 row",
      "  Index Cond: ((project_id = $1) AND (idempotency_key = $2))",
      "Index Scan using email_bodies_pkey on email_bodies, 1 row",
      "  Index Cond: ((project_id = $1) AND (email_id = ($2)::uuid))",
    ]),
  )
})

/** The plan for any values, made by a connection without plans, as the accept makes them. */
async function planned(statement: string): Promise<string[]> {
  const client = new pg.Client({ connectionString: env().databaseUrl })
  await client.connect()
  try {
    await client.query(
      `SET plan_cache_mode = force_generic_plan; SET enable_seqscan = off; PREPARE lookup (uuid, text) AS ${statement}`,
    )
    const { rows } = await client.query<{ "QUERY PLAN": string }>("EXPLAIN EXECUTE lookup (NULL, NULL)")
    return rows.map((row) => row["QUERY PLAN"])
  } finally {
    await client.end()
  }
}
