import type pg from "pg"
import { claimedShape } from "@/lib/delivery/queue/claim-statement-sql"
import type { Claimed } from "@/lib/delivery/queue/claim-sql"
import { emailsAfter } from "@/lib/delivery/queue/finish-sql"
import type { Outcome } from "@/lib/delivery/queue/outcome"
import { recordOutcomes, suppressSoft } from "@/lib/delivery/queue/record-sql"
import type { EmailStatus } from "@/lib/delivery/queue/rules"
import { pool, type Queryable } from "@/lib/platform/database/db"
import { columnsOf } from "@/lib/platform/database/shape"

// On `pg`, because it locks and records as the delivery loop does, whose rows these are, many at a time.

/** What a mail that came back needs to know of its delivery. */
export type ReturnedDelivery = Omit<Claimed, "status" | "claimedAt"> & {
  status: EmailStatus
  subject: string
  messageId: string
  /** Its timeline has a delay already. */
  isDelayed: boolean
}

/** Locks deliveries of all projects, in the order of their ids as every writer does. */
export async function lockReturned(client: Queryable, ids: readonly string[]): Promise<ReturnedDelivery[]> {
  const { rows } = await client.query<ReturnedDelivery>({
    name: "delivery.lock_returned",
    text: `SELECT ${columnsOf(claimedShape, "d")}, e.subject, e.message_id AS "messageId",
        EXISTS (SELECT 1 FROM events v WHERE v.project_id = d.project_id AND v.email_id = d.email_id
          AND v.delivery_id = d.id AND v.type = 'delivery_delayed') AS "isDelayed"
      FROM deliveries d JOIN emails e ON e.project_id = d.project_id AND e.id = d.email_id
      WHERE d.id = ANY ($1::uuid[]) ORDER BY d.id FOR NO KEY UPDATE OF d`,
    values: [ids],
  })
  return rows
}

/**
 * Writes outcomes that came by mail, of deliveries that are locked and no longer under way, as the delivery loop writes its
 * own: status, events, suppression and the email's status in the caller's transaction. For all projects.
 */
export async function recordReturned(client: pg.PoolClient, outcomes: Outcome[]): Promise<void> {
  if (outcomes.length === 0) return
  await client.query({
    name: "delivery.returned",
    text: `UPDATE deliveries d SET status = g.status, bounce_type = g.bounce_type, bounce_code = g.bounce_code,
        diagnostic = g.diagnostic, reason = g.reason, reason_facts = g.reason_facts, delivered_at = CASE WHEN g.status = 'delivered' THEN now() END,
        due_at = NULL, ended_at = now(), updated_at = now()
      FROM json_to_recordset($1) AS g(id uuid, status text, bounce_type text, bounce_code text, diagnostic text,
        reason text, reason_facts jsonb)
      WHERE d.id = g.id`,
    values: [JSON.stringify(outcomes.map(valuesOf))],
  })
  await recordOutcomes(client, outcomes, await emailsAfter(client, outcomes))
  await suppressSoft(client, outcomes)
}

function valuesOf({ claimed, status, bounceType, bounceCode, diagnostic, reason }: Outcome) {
  return {
    id: claimed.id,
    status,
    bounce_type: bounceType,
    bounce_code: bounceCode,
    diagnostic,
    reason: reason?.code,
    reason_facts: reason?.facts,
  }
}

/** Deliveries of these emails, of all projects. */
export async function deliveriesOfEmail(emailId: string): Promise<{ id: string; address: string }[]> {
  const { rows } = await pool().query<{ id: string; address: string }>({
    name: "delivery.of_email",
    text: `SELECT d.id, d.address FROM emails e JOIN deliveries d ON d.project_id = e.project_id AND d.email_id = e.id
      WHERE e.id = $1`,
    values: [emailId],
  })
  return rows
}
