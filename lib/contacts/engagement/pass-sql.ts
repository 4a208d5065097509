import { rescore, scoredShape, type Scored } from "@/lib/contacts/engagement/score-sql"
import { transaction } from "@/lib/platform/database/db"
import { takeLock } from "@/lib/platform/database/locks-sql"
import { columnsOf } from "@/lib/platform/database/shape"
import type { Prisma } from "@/prisma/generated/client"

const first = "00000000-0000-0000-0000-000000000000"
const restHours = 24

type Position = Pick<Prisma.EngagementPassGetPayload<object>, "lastProject" | "lastContact">

/**
 * Recomputes the scores of the next `size` contacts of all projects if a pass is due or under way, and stores how far it
 * came: one worker at a time, and the next continues where one died. On `pg`, because it skips locked rows and reads all
 * projects by key.
 * @returns "idle" when no pass is due, or another worker is at it
 */
export async function stepScores(size: number, now: Date): Promise<"more" | "ended" | "idle"> {
  return transaction(async (client) => {
    const { rows: states } = await client.query<Position>(
      // Due later than a rest from now: that was written by a clock that has been set back.
      `SELECT last_project AS "lastProject", last_contact AS "lastContact" FROM engagement_pass
        WHERE id = 1 AND (due_at <= $1 OR due_at > $1::timestamptz + make_interval(hours => $2)) FOR UPDATE SKIP LOCKED`,
      [now, restHours],
    )
    const [state] = states
    if (!state) return "idle"
    await takeLock("mailroom.scores", client)
    const { rows: contacts } = await client.query<Scored>(
      `SELECT ${columnsOf(scoredShape, "c")} FROM contacts c
        WHERE (project_id, id) > ($1, $2) ORDER BY project_id, id LIMIT $3`,
      [state.lastProject ?? first, state.lastContact ?? first, size],
    )
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
