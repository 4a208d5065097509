import { type Engagement, engagementDays, engagementScoreOf } from "@/lib/contacts/rules"
import type { EngagementScore } from "@/lib/contacts/schema"
import { type Connection, rowsOf, type Queryable, transaction, unscoped } from "@/lib/platform/database/db"
import { distinctIds, firstId, avoid } from "@/lib/platform/database/bounded-reads-sql"
import { takeLock, tryLock } from "@/lib/platform/database/locks-sql"
import { db } from "@/lib/platform/database/scoped-db"
import { columnsOf } from "@/lib/platform/database/shape"
import type { Scope } from "@/lib/platform/http/scope"
import { firstIdAt } from "@/lib/platform/ids"
import { dayMs } from "@/lib/platform/time"
import { type AffectedContact, endWork, readWork } from "@/lib/segments/passes/data"
import { Prisma } from "@/prisma/generated/client"

const restMs = dayMs

/**
 * Recomputes the scores of the next `size` contacts of all projects if a pass is due or under way, and stores how far it
 * came: one worker at a time, and the next continues where one died. A step that is done twice finds nothing to change.
 * @returns "idle" when no pass is due, or another worker is at it
 */
export async function stepScores(size: number, now: Date): Promise<"more" | "ended" | "idle"> {
  const pass = await findDue(now)
  if (!pass) return "idle"
  const { lastProject, lastContact } = pass
  const contacts = await transaction(async (client) => {
    if (!(await tryLock("mailroom.score_pass", client))) return null
    await takeLock("mailroom.scores", client)
    const behind = [lastProject ?? firstId, lastContact ?? firstId, size]
    const next = await scoredContacts(client, "(project_id, id) > ($1, $2) ORDER BY project_id, id LIMIT $3", behind)
    if (next.length) await rescore(client, next, now)
    return next
  })
  if (!contacts) return "idle"
  const last = contacts.length < size ? undefined : contacts.at(-1)
  const { count } = await unscoped().engagementPass.updateMany({
    where: { id: 1, lastProject, lastContact },
    data: {
      lastProject: last?.projectId ?? null,
      lastContact: last?.id ?? null,
      ...(!last && { dueAt: new Date(now.getTime() + restMs) }),
    },
  })
  if (!count) return "idle"
  return last ? "more" : "ended"
}

/** The pass that is due. Due later than a rest from now: that was written by a clock that has been set back. */
function findDue(now: Date) {
  return unscoped().engagementPass.findUnique({
    where: { id: 1, OR: [{ dueAt: { lte: now } }, { dueAt: { gt: new Date(now.getTime() + restMs) } }] },
    select: { lastProject: true, lastContact: true },
  })
}

/** The score that was stored since `since`; null where there is none. */
export async function storedScore(scope: Scope, contactId: string, since: Date): Promise<EngagementScore | null> {
  const row = await db(scope).contact.findUnique({
    where: { id: contactId, scoredAt: { gte: since } },
    select: { engagementScore: true, engagementTier: true, scoredAt: true },
  })
  if (!row?.scoredAt || row.engagementScore === null || row.engagementTier === null) return null
  return { object: "engagement_score", score: row.engagementScore, tier: row.engagementTier, scoredAt: row.scoredAt }
}

/** Computes the score of a contact from its mail of the last 90 days and stores it; null for one that never had mail. */
export async function refreshScore(
  scope: Scope,
  contactId: string,
  email: string,
  now: Date,
): Promise<EngagementScore | null> {
  return db(scope).$transaction(async (tx) => {
    const [engagement] = await engagementsOf([{ projectId: scope.project.id, email }], now, tx)
    if (!engagement?.known) return null
    const { score, tier } = engagementScoreOf(engagement)
    const data = { engagementScore: score, engagementTier: tier, scoredAt: now }
    await tx.contact.updateMany({ where: { id: contactId }, data })
    return { object: "engagement_score", score, tier, scoredAt: now }
  })
}

// On `pg` from here on: scores are read and written in the transaction that follows contacts, by keys of two columns, in joins.

/** What of a contact is needed to score it, its stored score included. */
export const scoredShape = {
  ...{ projectId: true, id: true, email: true },
  ...{ engagementScore: true, engagementTier: true },
} as const

export type Scored = Prisma.ContactGetPayload<{ select: typeof scoredShape }>

/** Contacts of all projects under a condition. */
async function scoredContacts(client: Queryable, where: string, values: unknown[]): Promise<Scored[]> {
  const { rows } = await client.query<Scored>(
    `SELECT ${columnsOf(scoredShape, "c")} FROM contacts c WHERE ${where}`,
    values,
  )
  return rows
}

/**
 * Computes the scores of these contacts and stores those that have changed. A locked contact is skipped and left for the
 * next time. Serves all projects.
 * @returns the ids of those whose stored score is right now
 */
async function rescore(client: Queryable, contacts: readonly Scored[], now: Date): Promise<string[]> {
  const engagements = await engagementsOf(contacts, now, client)
  const changed = contacts.flatMap(({ id, engagementScore, engagementTier }, at) => {
    const engagement = engagements[at]
    if (!engagement?.known) return []
    const { score, tier } = engagementScoreOf(engagement)
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

/** What became of the mail of each contact, of all projects and in their order; `known` for one that ever had mail. */
async function engagementsOf(
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
            -- Each delay that is read takes back one bounce.
            (count(*) FILTER (WHERE v.type = 'bounced') - count(*) FILTER (WHERE v.type = 'delivery_delayed'))::int AS bounced,
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
              OR v.type = 'sent' AND v.data->>'deliveryReported' = 'false'
              OR v.type = 'delivery_delayed' AND v.data->>'reason' = 'bounce_taken_back')
            AND v.data->>'machine' IS DISTINCT FROM 'true'
      ) counted
      ORDER BY asked.place`,
  )
  return rows.map(({ last, ...counts }) => ({
    ...counts,
    idleDays: last && (now.getTime() - last.getTime()) / dayMs,
  }))
}

/** Notes contacts whose score is to be computed again. Serves all projects. */
export async function followScores(contacts: readonly AffectedContact[], client: Queryable): Promise<void> {
  await client.query(
    `INSERT INTO engagement_work (project_id, contact_id) SELECT * FROM unnest($1::uuid[], $2::uuid[]) ORDER BY 1, 2
      ON CONFLICT (project_id, contact_id) DO UPDATE SET changed_at = excluded.changed_at`,
    [contacts.map(({ projectId }) => projectId), contacts.map(({ contactId }) => contactId)],
  )
}

const projectsMax = 1_000

/** Projects with contacts to score and a segment that waits for it; those beyond the first thousand wait until these are done. */
export function projectsThatWait(): Promise<string[]> {
  return distinctIds(firstId, {
    ...{ name: "engagement.projects_that_wait", table: "segments", column: "project_id", where: "watches_events" },
    also: "EXISTS (SELECT 1 FROM engagement_work w WHERE w.project_id = walk.id)",
    limit: projectsMax,
  })
}

/**
 * Recomputes the scores of up to `limit` contacts with news, of one project or those that have waited longest.
 * @returns how many were done
 */
export async function scoreWaiting(projectId: string | null, limit: number, now: Date): Promise<number> {
  return transaction(async (client) => {
    // One at a time: what was computed from less must not be stored over what was computed from more.
    await takeLock("mailroom.scores", client)
    const work = await readWork("engagement_work", projectId === null ? null : { projectId }, limit, client)
    if (!work.length) return 0
    const contacts = await scoredContacts(client, "id = ANY ($1)", [work.map(({ contactId }) => contactId)])
    const known = new Set(contacts.map(({ id }) => id))
    const right = new Set(await rescore(client, contacts, now))
    const done = work.filter(({ contactId }) => right.has(contactId) || !known.has(contactId))
    await endWork("engagement_work", done, client)
    return done.length
  })
}
