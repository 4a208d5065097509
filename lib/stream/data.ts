import { withheldSql } from "@/lib/access/credentials/data"
import { shownEventData } from "@/lib/explanation/words"
import { currentTime, databaseTime, secondsAfter } from "@/lib/platform/database/clock-sql"
import { pool, unscoped } from "@/lib/platform/database/db"
import { takeLock } from "@/lib/platform/database/locks-sql"
import { db } from "@/lib/platform/database/scoped-db"
import type { Scope } from "@/lib/platform/http/scope"
import { firstIdAt } from "@/lib/platform/ids"
import { streamPermission } from "@/lib/stream/rules"
import { type RecentEventCounts, streamedTypes, type StreamEvent } from "@/lib/stream/schema"

/** Where the database says that events are to be read. */
export const eventsChannel = "mailroom_events"

const tokenSeconds = 60

/** Tokens of a project that can still open a stream. */
const liveTokensMax = 30

/** A stream counts as open for so long after its process last said so. */
const seenSeconds = 15

/**
 * Stores the hash of a token that may open one stream within 60 s; beyond 30 live tokens the oldest is deleted.
 * @returns when it expires
 */
export async function addToken(scope: Scope, hash: Buffer): Promise<Date> {
  const { principal } = scope
  const holder = {
    keyId: principal.kind === "key" ? principal.keyId : null,
    sessionId: principal.kind === "session" ? principal.sessionId : null,
  }
  return db(scope).$transaction(async (tx) => {
    // Concurrent ones would not count each other, and each would delete what the other is deleting.
    await takeLock(`mailroom.stream_tokens ${scope.project.id}`, tx)
    const now = await currentTime(tx)
    const expiresAt = secondsAfter(now, tokenSeconds)
    const tokenHash = new Uint8Array(hash)
    await tx.streamToken.createMany({ data: { tokenHash, ...holder, expiresAt, createdAt: now } })
    const tooOld = await tx.streamToken.findMany({
      where: { usedAt: null, expiresAt: { gt: now } },
      orderBy: { createdAt: "desc" },
      skip: liveTokensMax,
      select: { tokenHash: true },
    })
    if (tooOld.length > 0)
      await tx.streamToken.deleteMany({ where: { tokenHash: { in: tooOld.map((one) => one.tokenHash) } } })
    return expiresAt
  })
}

/** Who may read a stream. `hash` names it while it is open. */
export type Ticket = { hash: Buffer; projectId: string }

/**
 * Uses a token: of any number of concurrent calls one gets the ticket. `open` counts the streams that the project has open
 * on any process, with this one.
 */
export async function redeemToken(hash: Buffer): Promise<{ ticket: Ticket; open: number } | null> {
  const now = await databaseTime()
  const [token] = await unscoped().streamToken.updateManyAndReturn({
    where: { tokenHash: new Uint8Array(hash), usedAt: null, expiresAt: { gt: now } },
    data: { usedAt: now, seenAt: now },
    select: { projectId: true },
  })
  if (!token) return null
  const open = await db({ project: { id: token.projectId } }).streamToken.count({
    where: { seenAt: { gt: secondsAfter(now, -seenSeconds) } },
  })
  return { ticket: { hash, projectId: token.projectId }, open }
}

export async function markClosed({ hash, projectId }: Ticket): Promise<void> {
  const ofProject = db({ project: { id: projectId } })
  await ofProject.streamToken.updateMany({ where: { tokenHash: new Uint8Array(hash) }, data: { seenAt: null } })
}

/** The newest events that a stream carries, oldest first. */
export async function findRecentEvents(scope: Scope, most: number): Promise<StreamEvent[]> {
  const rows = await db(scope).event.findMany({
    where: { seq: { not: null }, emailId: { not: null }, type: { in: [...streamedTypes] } },
    select: { id: true, type: true, emailId: true, occurredAt: true, data: true },
    orderBy: { seq: "desc" },
    take: most,
  })
  return rows.reverse().flatMap(({ emailId, type, data, ...row }) =>
    // The filter names the types; texts are all that our own events hold.
    emailId === null
      ? []
      : { ...row, emailId, type: type as StreamEvent["type"], data: shownEventData(data as Record<string, string>) },
  )
}

// On `pg`: every open stream waits for these, and events are paged by their position.

/** Events that are read, of all types: some thirty milliseconds. */
export const countedEventsMax = 20_000

type Row = Pick<RecentEventCounts, "since"> & {
  last: string | null
  at: Date | null
  type: RecentEventCounts["data"][number]["type"]
  count: number
}

/**
 * Streamed events since a time, by two minutes and type. The index is read from the end of the public order back to the
 * first event of that time, or to the limit: then `since` is the time at which the last one read was written, because an
 * event is never written before it occurs.
 */
export async function countEventsSince(scope: Scope, time: Date): Promise<Omit<RecentEventCounts, "until">> {
  const { rows } = await pool().query<Row>(
    `WITH newest AS MATERIALIZED (
        SELECT id, seq, type, email_id, occurred_at, created_at FROM events
          WHERE project_id = $1 AND seq > $2 ORDER BY seq DESC LIMIT ${countedEventsMax}
      ), bounds AS MATERIALIZED (
        SELECT greatest($3::timestamptz, (SELECT created_at FROM newest ORDER BY seq DESC OFFSET ${countedEventsMax - 1})) AS since,
          (SELECT id FROM newest WHERE type = ANY ($4) AND email_id IS NOT NULL ORDER BY seq DESC LIMIT 1) AS last
      )
      SELECT since, last, date_bin('2 minutes', occurred_at, 'epoch') AS at, type, count(*)::int AS count
        FROM bounds LEFT JOIN newest ON occurred_at >= since AND type = ANY ($4) AND email_id IS NOT NULL
        GROUP BY since, last, at, type ORDER BY at, type`,
    [scope.project.id, await seqOf(scope.project.id, firstIdAt(time)), time, streamedTypes],
  )
  return {
    since: rows[0]?.since ?? time,
    ...(rows[0]?.last && { last: rows[0].last }),
    data: rows.flatMap(({ at, type, count }) => (at === null ? [] : { at, type, count })),
  }
}

export type EventRow = {
  id: string
  projectId: string
  emailId: string
  type: string
  data: Record<string, string>
  occurredAt: Date
  seq: string
  /** Of its email; read only where a stream asks for it. */
  broadcastId: string | null
}

/** The streamed events of a project after one number up to another. */
export type Span = { projectId: string; from: bigint; to: bigint }

/** Streamed events of these projects, shard after shard in the public order. */
export async function readEvents(
  spans: readonly Span[],
  { limit, broadcasts }: { limit: number; broadcasts: boolean },
): Promise<EventRow[]> {
  const { rows } = await pool().query<EventRow>({
    name: "stream.read_events",
    text: `SELECT r.id, r.project_id AS "projectId", r.email_id AS "emailId", r.type, r.data, r.occurred_at AS "occurredAt", r.seq,
        CASE WHEN $5 THEN (SELECT e.broadcast_id FROM emails e WHERE e.project_id = r.project_id AND e.id = r.email_id) END AS "broadcastId"
      FROM unnest($1::uuid[], $2::bigint[], $3::bigint[]) AS span(project_id, after, until), LATERAL (
        SELECT * FROM events WHERE project_id = span.project_id AND seq > span.after AND seq <= span.until AND type = ANY ($4)
            AND email_id IS NOT NULL
          ORDER BY seq LIMIT $6) r
      ORDER BY dispatch_shard(r.project_id), r.seq LIMIT $6`,
    values: [
      spans.map(({ projectId }) => projectId),
      spans.map(({ from }) => from),
      spans.map(({ to }) => to),
      ...[streamedTypes, broadcasts, limit],
    ],
  })
  return rows
}

/** The first events of a project that a stream would carry after this one, oldest first. */
export async function findEventsAfter(scope: Scope, eventId: string, most: number): Promise<StreamEvent[]> {
  const projectId = scope.project.id
  const from = await seqOf(projectId, eventId)
  const to = (await endsOfShards())[shardOf(projectId)]
  if (from === null || to === undefined) return []
  const rows = await readEvents([{ projectId, from, to }], { limit: most, broadcasts: false })
  return rows.map(({ id, type, emailId, occurredAt, data }) => ({
    ...{ id, emailId, occurredAt, type: type as StreamEvent["type"] },
    data: shownEventData(data),
  }))
}

/** Events that were added concurrently get their positions in another order than their ids: at most so many at once. */
const neighbours = 1_000

/**
 * The position in the public order of the project after which a stream resumes; null when no event has one since. An event that
 * the project does not have (any more) counts as the time in its id: the place where the project's events pass it is searched by
 * halves, as no index has a project's events by time.
 */
export async function seqOf(projectId: string, eventId: string): Promise<bigint | null> {
  const firstOfItsTime = `${eventId.slice(0, 14)}7000-8000-000000000000`
  const { rows } = await pool().query<{ seq: string | null }>(
    `WITH RECURSIVE search AS (
        SELECT (SELECT seq - 1 FROM events WHERE project_id = $1 AND seq IS NOT NULL ORDER BY seq LIMIT 1) AS low,
          (SELECT seq FROM events WHERE project_id = $1 AND seq IS NOT NULL ORDER BY seq DESC LIMIT 1) AS high
        UNION ALL
        SELECT CASE WHEN next.id < $3 THEN next.seq ELSE low END, CASE WHEN next.id < $3 THEN high ELSE (low + high) / 2 END
          FROM search, LATERAL (SELECT id, seq FROM events WHERE project_id = $1 AND seq > (low + high) / 2 ORDER BY seq LIMIT 1) next
          WHERE low < high
      )
      SELECT CASE WHEN stored.id IS NOT NULL THEN stored.seq ELSE (
          SELECT min(seq) - 1 FROM (
            (SELECT id, seq FROM events WHERE project_id = $1 AND seq <= low ORDER BY seq DESC LIMIT ${neighbours})
            UNION ALL (SELECT id, seq FROM events WHERE project_id = $1 AND seq > low ORDER BY seq LIMIT 1)) AS around
            WHERE id >= $3
        ) END AS seq
      FROM (SELECT min(low) FILTER (WHERE low = high) AS low FROM search) AS place
        LEFT JOIN (SELECT id, seq FROM events WHERE project_id = $1 AND id = $2) AS stored ON true`,
    [projectId, eventId, firstOfItsTime],
  )
  const seq = rows[0]?.seq ?? null
  return seq === null ? null : BigInt(seq)
}

/**
 * The current end of the public order of each shard: its own, or that of all where events are numbered in one order.
 * For all projects.
 */
export async function endsOfShards(): Promise<bigint[]> {
  const { rows } = await pool().query<{ seq: string }>({
    name: "stream.ends",
    text: `SELECT CASE WHEN d.last_seq = d.reserved_seq THEN s.last_seq ELSE d.last_seq END AS seq
      FROM dispatch_state d, dispatch_shards s ORDER BY s.shard`,
  })
  return rows.map(({ seq }) => BigInt(seq))
}

/**
 * Says that these streams are open; answers the hashes (base64) of those whose session is still valid, or whose key is and may
 * open streams. A token that a key got before its addresses changed is not, nor one of the second in which a process may not know of
 * the change. For all projects.
 */
export async function keepOpen(hashes: readonly Buffer[]): Promise<Set<string>> {
  const { rows } = await pool().query<{ hash: Buffer }>(
    `UPDATE stream_tokens t SET seen_at = clock_timestamp() FROM projects p
      WHERE t.token_hash = ANY ($1) AND p.id = t.project_id AND p.deleted_at IS NULL AND (
        EXISTS (SELECT 1 FROM api_keys k
          WHERE k.id = t.key_id AND k.revoked_at IS NULL AND (k.expires_at IS NULL OR k.expires_at > now()) AND $2 = ANY (k.permissions)
            AND (k.addresses_changed_at IS NULL OR t.created_at > k.addresses_changed_at + interval '2 seconds'))
        OR EXISTS (SELECT 1 FROM sessions s JOIN members m ON m.user_id = s.user_id AND m.organization_id = p.organization_id
          JOIN organizations o ON o.id = m.organization_id
          WHERE s.id = t.session_id AND s.revoked_at IS NULL AND s.expires_at > now()
            AND NOT (${withheldSql("o", "s.user_id")})))
      RETURNING t.token_hash AS hash`,
    [hashes, streamPermission],
  )
  return new Set(rows.map(({ hash }) => hash.toString("base64")))
}

export const shards = 16

/** The shard of a project, in which its events are numbered: as `dispatch_shard` in the database. */
export function shardOf(projectId: string): number {
  return parseInt(projectId.slice(-1), shards)
}
