import { engagementDays, scoreOf, type Engagement } from "@/lib/contacts/rules"
import type { EngagementScore } from "@/lib/contacts/schema"
import { pool, transaction, type Queryable } from "@/lib/platform/database/db"
import { firstIdAt } from "@/lib/platform/ids"
import type { Scope } from "@/lib/platform/http/scope"

/** The score that was stored since `since`; null where there is none. */
export async function storedScore(scope: Scope, contactId: string, since: Date): Promise<EngagementScore | null> {
  const { rows } = await pool().query<{ engagement_score: number; engagement_tier: string; scored_at: Date }>(
    `SELECT engagement_score, engagement_tier, scored_at FROM contacts
      WHERE project_id = $1 AND id = $2 AND scored_at >= $3 AND engagement_score IS NOT NULL AND engagement_tier IS NOT NULL`,
    [scope.project.id, contactId, since],
  )
  const [row] = rows
  return row
    ? { object: "engagement_score", score: row.engagement_score, tier: row.engagement_tier, scoredAt: row.scored_at }
    : null
}

/** Computes the score of a contact from its mail of the last 90 days and stores it; null for one that never had mail. */
export async function refreshScore(
  scope: Scope,
  contactId: string,
  email: string,
  now: Date,
): Promise<EngagementScore | null> {
  return transaction(async (client) => {
    const [engagement] = await engagementsOf(client, [{ projectId: scope.project.id, id: contactId, email }], now)
    if (!engagement?.known) return null
    const { score, tier } = scoreOf(engagement)
    await client.query(
      `UPDATE contacts SET engagement_score = $3, engagement_tier = $4, scored_at = $5 WHERE project_id = $1 AND id = $2`,
      [scope.project.id, contactId, score, tier, now],
    )
    return { object: "engagement_score", score, tier, scoredAt: now }
  })
}

/** A contact and the score that is stored of it. */
export type Scored = { projectId: string; id: string; email: string; score: number | null; tier: string | null }

/**
 * Computes the scores of these contacts and stores those that are others now. Waits for nobody: a contact that somebody
 * is changing is left for another time.
 * @returns the ids of those whose score is right now
 */
export async function rescore(client: Queryable, contacts: readonly Scored[], now: Date): Promise<string[]> {
  const engagements = await engagementsOf(client, contacts, now)
  const others = contacts.flatMap((contact, at) => {
    const engagement = engagements[at]
    if (!engagement?.known) return []
    const { score, tier } = scoreOf(engagement)
    return score === contact.score && tier === contact.tier ? [] : [{ id: contact.id, score, tier }]
  })
  if (!others.length) return contacts.map(({ id }) => id)
  const { rows } = await client.query<{ id: string }>(
    "SELECT id FROM contacts WHERE id = ANY ($1) ORDER BY id FOR NO KEY UPDATE SKIP LOCKED",
    [others.map(({ id }) => id)],
  )
  const free = new Set(rows.map(({ id }) => id))
  const written = others.filter(({ id }) => free.has(id))
  await client.query(
    `UPDATE contacts c SET engagement_score = n.score, engagement_tier = n.tier, scored_at = $4
      FROM unnest($1::uuid[], $2::int[], $3::text[]) AS n(id, score, tier) WHERE c.id = n.id`,
    [written.map(({ id }) => id), written.map(({ score }) => score), written.map(({ tier }) => tier), now],
  )
  const left = new Set(others.flatMap(({ id }) => (free.has(id) ? [] : [id])))
  return contacts.flatMap(({ id }) => (left.has(id) ? [] : [id]))
}

/** Mails of a contact that count, the latest first. */
const mailsMax = 1_000

/** What became of the mail of each contact, in their order; `known` for one that ever had mail. */
async function engagementsOf(
  client: Queryable,
  contacts: readonly Pick<Scored, "projectId" | "id" | "email">[],
  now: Date,
): Promise<(Engagement & { known: boolean })[]> {
  const since = new Date(now.getTime() - engagementDays * 24 * 3600_000)
  // Contact by contact the indexes are always right; a plan for all of them at once could read whole months of events.
  await client.query(
    "SELECT set_config('enable_seqscan', 'off', true), set_config('enable_hashjoin', 'off', true), set_config('enable_mergejoin', 'off', true)",
  )
  type Row = Omit<Engagement, "idleDays"> & { known: boolean; last: Date | null }
  const { rows } = await client.query<Row>(
    `SELECT told.*, told.sent > 0 OR EXISTS (SELECT 1 FROM deliveries d WHERE d.project_id = asked.project_id
          AND d.canonical = asked.email AND (d.sent_at IS NOT NULL OR d.status IN ('bounced', 'complained'))) AS known
      FROM unnest($1::uuid[], $2::text[]) WITH ORDINALITY AS asked(project_id, email, place)
      CROSS JOIN LATERAL (
        SELECT count(DISTINCT m.id)::int AS sent,
            count(DISTINCT m.id) FILTER (WHERE v.type IN ('delivered', 'opened', 'clicked'))::int AS delivered,
            count(DISTINCT m.id) FILTER (WHERE v.type = 'opened')::int AS opened,
            count(DISTINCT m.id) FILTER (WHERE v.type = 'clicked')::int AS clicked,
            count(DISTINCT m.id) FILTER (WHERE v.type = 'bounced')::int AS bounced,
            count(DISTINCT m.id) FILTER (WHERE v.type = 'complained')::int AS complained,
            max(v.occurred_at) FILTER (WHERE v.type IN ('opened', 'clicked')) AS last
          FROM (
            SELECT d.id, d.email_id FROM deliveries d
              WHERE d.project_id = asked.project_id AND d.canonical = asked.email AND d.email_id >= $3
                AND (d.sent_at IS NOT NULL OR d.status IN ('bounced', 'complained'))
              ORDER BY d.email_id DESC LIMIT ${mailsMax}
          ) m LEFT JOIN events v ON v.project_id = asked.project_id AND v.email_id = m.email_id AND v.delivery_id = m.id
            AND v.id >= $3 AND v.type IN ('delivered', 'opened', 'clicked', 'bounced', 'complained')
            AND v.data->>'machine' IS DISTINCT FROM 'true'
      ) told
      ORDER BY asked.place`,
    [contacts.map(({ projectId }) => projectId), contacts.map(({ email }) => email), firstIdAt(since)],
  )
  return rows.map(({ last, ...counts }) => ({
    ...counts,
    idleDays: last && (now.getTime() - last.getTime()) / (24 * 3600_000),
  }))
}
