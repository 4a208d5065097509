import type pg from "pg"
import { takeBackBounces } from "@/lib/consent/suppressions-sql"
import type { Claimed } from "@/lib/delivery/queue/claim-sql"
import { claimedShape } from "@/lib/delivery/queue/claim-statement-sql"
import { emailsAfter } from "@/lib/delivery/queue/finish-sql"
import { takenBack } from "@/lib/delivery/queue/outcome"
import { recordOutcomes } from "@/lib/delivery/queue/record-sql"
import { refusedDeliveries } from "@/lib/delivery/regions/refusal-store"
import { transaction } from "@/lib/platform/database/db"
import { columnsOf } from "@/lib/platform/database/shape"

// On `pg`, because it locks as the delivery loop does, whose rows these are.

const atOnce = 200

/**
 * Takes back the bounces of a relay that turned out to refuse everybody: the deliveries wait again, no attempt is counted,
 * and what the bounces suppressed is allowed again. Doing it twice changes nothing. Returns how many there were.
 */
export async function takeBackRefused(route: string, sentence: string): Promise<number> {
  const ids = await refusedDeliveries(route, sentence)
  let count = 0
  for (let at = 0; at < ids.length; at += atOnce) {
    const group = ids.slice(at, at + atOnce)
    count += await transaction((client) => takeBack(client, group))
  }
  return count
}

type Bounced = Claimed & { subject: string; lastDiagnostic: string | null }

/** Of all projects. Locks deliveries first, then emails, both in the order of their ids, as every writer does. */
async function takeBack(client: pg.PoolClient, ids: readonly string[]): Promise<number> {
  const { rows } = await client.query<Bounced>(
    `WITH held AS MATERIALIZED (
        SELECT id FROM deliveries WHERE id = ANY ($1) AND status = 'bounced' ORDER BY id FOR UPDATE
      )
      UPDATE deliveries d SET status = 'delivery_delayed', due_at = now(), attempt = d.attempt + 1, unfinished = 0,
          attempt_count = greatest(0, d.attempt_count - 1), ended_at = NULL, bounce_type = NULL, bounce_code = NULL,
          reason = NULL, reason_facts = NULL, updated_at = now()
        FROM emails e WHERE d.id = ANY (ARRAY(SELECT id FROM held)) AND e.id = d.email_id
        RETURNING ${columnsOf(claimedShape, "d")}, e.subject, d.diagnostic AS "lastDiagnostic"`,
    [ids],
  )
  if (rows.length === 0) return 0
  const outcomes = rows.map(({ subject, lastDiagnostic, ...claimed }) =>
    takenBack({ claimed, subject }, lastDiagnostic ?? ""),
  )
  await recordOutcomes(client, outcomes, await emailsAfter(client, outcomes, { fromBounced: true }))
  await takeBackBounces(
    client,
    outcomes.map(({ claimed }) => ({
      projectId: claimed.projectId,
      email: claimed.canonical,
      emailId: claimed.emailId,
    })),
  )
  return rows.length
}
