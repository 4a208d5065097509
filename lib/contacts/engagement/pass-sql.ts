import { rescore } from "@/lib/contacts/engagement/score-sql"
import { transaction } from "@/lib/platform/database/db"
import { takeLock } from "@/lib/platform/database/locks-sql"

const first = "00000000-0000-0000-0000-000000000000"
const restHours = 24

/**
 * Makes the scores of the next `size` contacts of all projects anew, if a pass is due or under way, and remembers how far
 * it came: one worker at a time, and the next goes on where one died.
 * @returns "idle" when no pass is due, or another worker is at it
 */
export async function stepScores(size: number, now: Date): Promise<"more" | "ended" | "idle"> {
  return transaction(async (client) => {
    const { rows: states } = await client.query<{ last_project: string | null; last_contact: string | null }>(
      // Due later than a rest from now: that was written by a clock that has been set back.
      `SELECT last_project, last_contact FROM engagement_pass
        WHERE id = 1 AND (due_at <= $1 OR due_at > $1::timestamptz + make_interval(hours => $2)) FOR UPDATE SKIP LOCKED`,
      [now, restHours],
    )
    const [state] = states
    if (!state) return "idle"
    await takeLock("mailroom.scores", client)
    type Row = {
      project_id: string
      id: string
      email: string
      engagement_score: number | null
      engagement_tier: string | null
    }
    const { rows } = await client.query<Row>(
      `SELECT project_id, id, email, engagement_score, engagement_tier FROM contacts
        WHERE (project_id, id) > ($1, $2) ORDER BY project_id, id LIMIT $3`,
      [state.last_project ?? first, state.last_contact ?? first, size],
    )
    const contacts = rows.map((row) => ({
      projectId: row.project_id,
      id: row.id,
      email: row.email,
      score: row.engagement_score,
      tier: row.engagement_tier,
    }))
    if (contacts.length) await rescore(client, contacts, now)
    const last = contacts.length < size ? null : contacts.at(-1)
    await client.query(
      `UPDATE engagement_pass SET last_project = $1, last_contact = $2,
          due_at = CASE WHEN $1::uuid IS NULL THEN $3::timestamptz + make_interval(hours => $4) ELSE due_at END WHERE id = 1`,
      [last?.projectId ?? null, last?.id ?? null, now, restHours],
    )
    return last ? "more" : "ended"
  })
}
