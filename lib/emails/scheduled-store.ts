import { emailExists } from "@/lib/emails/store"
import { transaction } from "@/lib/platform/database/db"
import { newId } from "@/lib/platform/ids"
import type { Scope } from "@/lib/platform/http/scope"

/** Cancels a scheduled email: false when its time has come or it was never scheduled, null when it does not exist. */
export async function cancelEmail(scope: Scope, emailId: string): Promise<boolean | null> {
  if ((await cancelScheduled(scope, { emailId })) === 1) return true
  return (await emailExists(scope, emailId)) ? false : null
}

/** Cancels up to 1,000 scheduled emails; how many. The row's status decides against a release at the same moment. */
export async function cancelScheduled(scope: Scope, which: { emailId?: string } = {}): Promise<number> {
  return transaction(async (client) => {
    const { rows } = await client.query<{ id: string; subject: string; to_headers: string[] }>(
      `UPDATE emails SET status = 'cancelled', due_at = NULL, updated_at = now() WHERE id IN (
          SELECT id FROM emails WHERE project_id = $1 AND due_at IS NOT NULL AND status = 'scheduled'
            AND ($2::uuid IS NULL OR id = $2) ORDER BY id LIMIT 1000 FOR UPDATE
        ) AND status = 'scheduled' RETURNING id, subject, to_headers`,
      [scope.project.id, which.emailId ?? null],
    )
    if (!rows.length) return 0
    const ids = rows.map(({ id }) => id)
    await client.query(
      `UPDATE deliveries SET status = 'cancelled', due_at = NULL, ended_at = now(), updated_at = now()
        WHERE project_id = $1 AND email_id = ANY ($2) AND status = 'scheduled'`,
      [scope.project.id, ids],
    )
    await client.query(
      `INSERT INTO events (id, project_id, email_id, type, data, occurred_at)
        SELECT event_id, $1, email_id, 'cancelled', jsonb_build_object('to', "to", 'subject', subject), now()
        FROM unnest($2::uuid[], $3::uuid[], $4::text[], $5::text[]) AS cancelled(event_id, email_id, "to", subject)`,
      [
        scope.project.id,
        rows.map(newId),
        ids,
        rows.map((row) => row.to_headers.join(", ")),
        rows.map((row) => row.subject),
      ],
    )
    return rows.length
  })
}

/**
 * Moves a scheduled email to another time: false when it is no longer scheduled, null when it does not exist. The row's
 * status decides against a release or a cancel at the same moment; a wait for the allowance is over with it.
 */
export async function rescheduleEmail(scope: Scope, emailId: string, at: Date): Promise<boolean | null> {
  const moved = await transaction(async (client) => {
    const { rows } = await client.query<{ subject: string; to_headers: string[]; before: Date }>(
      `UPDATE emails e SET scheduled_at = $3, due_at = $3, error = NULL, updated_at = now(),
          admitted_for = coalesce(e.admitted_for, e.scheduled_at)
        FROM (SELECT id, scheduled_at FROM emails
            WHERE project_id = $1 AND id = $2 AND due_at IS NOT NULL AND status = 'scheduled' FOR UPDATE) held
        WHERE e.id = held.id RETURNING e.subject, e.to_headers, held.scheduled_at AS before`,
      [scope.project.id, emailId, at],
    )
    const [row] = rows
    if (!row) return false
    const data = {
      to: row.to_headers.join(", "),
      subject: row.subject,
      scheduledAt: at.toISOString(),
      previously: row.before.toISOString(),
    }
    await client.query(
      "INSERT INTO events (id, project_id, email_id, type, data, occurred_at) VALUES ($1, $2, $3, 'rescheduled', $4, now())",
      [newId(), scope.project.id, emailId, data],
    )
    return true
  })
  if (moved) return true
  return (await emailExists(scope, emailId)) ? false : null
}
