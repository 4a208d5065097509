import { dayMs } from "@/lib/platform/time"
import { engagementDays, scoreOf, type Engagement } from "@/lib/contacts/rules"
import { rowsOf, type Connection } from "@/lib/platform/database/connection"
import type { Queryable } from "@/lib/platform/database/db"
import { avoid } from "@/lib/platform/database/planner-sql"
import { columnsOf } from "@/lib/platform/database/shape"
import { firstIdAt } from "@/lib/platform/ids"
import { Prisma } from "@/prisma/generated/client"

/** What of a contact is needed to score it, its stored score included. */
export const scoredShape = {
  ...{ projectId: true, id: true, email: true },
  ...{ engagementScore: true, engagementTier: true },
} as const

export type Scored = Prisma.ContactGetPayload<{ select: typeof scoredShape }>

/** Contacts of all projects under a condition. On `pg`, in the transaction that scores them, and by keys of two columns. */
export async function scoredContacts(client: Queryable, where: string, values: unknown[]): Promise<Scored[]> {
  const { rows } = await client.query<Scored>(
    `SELECT ${columnsOf(scoredShape, "c")} FROM contacts c WHERE ${where}`,
    values,
  )
  return rows
}

/**
 * Computes the scores of these contacts and stores those that have changed. A locked contact is skipped and
 * left for the next time. On `pg`, because it serves all projects and skips locked rows.
 * @returns the ids of those whose stored score is right now
 */
export async function rescore(client: Queryable, contacts: readonly Scored[], now: Date): Promise<string[]> {
  const engagements = await engagementsOf(contacts, now, client)
  const changed = contacts.flatMap(({ id, engagementScore, engagementTier }, at) => {
    const engagement = engagements[at]
    if (!engagement?.known) return []
    const { score, tier } = scoreOf(engagement)
    return score === engagementScore && tier === engagementTier ? [] : [{ id, score, tier }]
  })
  if (!changed.length) return contacts.map(({ id }) => id)
  const { rows } = await client.query<{ id: string }>(
    `WITH free AS MATERIALIZED (
        SELECT c.id, n.score, n.tier FROM unnest($1::uuid[], $2::int[], $3::text[]) AS n(id, score, tier)
          JOIN contacts c ON c.id = n.id ORDER BY c.id FOR NO KEY UPDATE OF c SKIP LOCKED
      )
      UPDATE contacts c SET engagement_score = free.score, engagement_tier = free.tier, scored_at = $4
        FROM free WHERE c.id = free.id RETURNING c.id`,
    [changed.map(({ id }) => id), changed.map(({ score }) => score), changed.map(({ tier }) => tier), now],
  )
  const written = new Set(rows.map(({ id }) => id))
  const left = new Set(changed.flatMap(({ id }) => (written.has(id) ? [] : [id])))
  return contacts.flatMap(({ id }) => (left.has(id) ? [] : [id]))
}

/** So many of the latest emails of a contact count. */
const mailsMax = 1_000

/**
 * What became of the mail of each contact, of all projects and in their order; `known` for one that ever had mail. Raw,
 * because Prisma does not aggregate over joins.
 */
export async function engagementsOf(
  contacts: readonly Pick<Scored, "projectId" | "email">[],
  now: Date,
  on: Connection,
): Promise<(Engagement & { known: boolean })[]> {
  const since = new Date(now.getTime() - engagementDays * dayMs)
  // Contact by contact the indexes are always right; a plan for all of them at once could read whole months of events.
  await avoid(["seqscan", "hashjoin", "mergejoin"], on)
  type Row = Omit<Engagement, "idleDays"> & { known: boolean; last: Date | null }
  const rows = await rowsOf<Row>(
    on,
    Prisma.sql`SELECT counted.*, counted.sent > 0 OR EXISTS (SELECT 1 FROM deliveries d WHERE d.project_id = asked.project_id
          AND d.canonical = asked.email AND (d.sent_at IS NOT NULL OR d.status IN ('bounced', 'complained'))) AS known
      FROM unnest(${contacts.map(({ projectId }) => projectId)}::uuid[], ${contacts.map(({ email }) => email)}::text[])
        WITH ORDINALITY AS asked(project_id, email, place)
      CROSS JOIN LATERAL (
        SELECT count(DISTINCT m.id)::int AS sent,
            count(DISTINCT m.id) FILTER (WHERE v.type IN ('sent', 'delivered', 'opened', 'clicked'))::int AS delivered,
            count(DISTINCT m.id) FILTER (WHERE v.type = 'opened')::int AS opened,
            count(DISTINCT m.id) FILTER (WHERE v.type = 'clicked')::int AS clicked,
            count(DISTINCT m.id) FILTER (WHERE v.type = 'bounced')::int AS bounced,
            count(DISTINCT m.id) FILTER (WHERE v.type = 'complained')::int AS complained,
            max(v.occurred_at) FILTER (WHERE v.type IN ('opened', 'clicked')) AS last
          FROM (
            SELECT d.id, d.email_id FROM deliveries d
              WHERE d.project_id = asked.project_id AND d.canonical = asked.email AND d.email_id >= ${firstIdAt(since)}::uuid
                AND (d.sent_at IS NOT NULL OR d.status IN ('bounced', 'complained'))
              ORDER BY d.email_id DESC LIMIT ${mailsMax}
          ) m LEFT JOIN events v ON v.project_id = asked.project_id AND v.email_id = m.email_id AND v.delivery_id = m.id
            AND v.id >= ${firstIdAt(since)}::uuid AND (v.type IN ('delivered', 'opened', 'clicked', 'bounced', 'complained')
              -- Delivery is not reported: it counts as delivered.
              OR v.type = 'sent' AND v.data->>'deliveryReported' = 'false')
            AND v.data->>'machine' IS DISTINCT FROM 'true'
      ) counted
      ORDER BY asked.place`,
  )
  return rows.map(({ last, ...counts }) => ({
    ...counts,
    idleDays: last && (now.getTime() - last.getTime()) / dayMs,
  }))
}
