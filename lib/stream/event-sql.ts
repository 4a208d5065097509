import { pool } from "@/lib/platform/database/db"
import { streamedTypes } from "@/lib/stream/schema"

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

/**
 * Streamed events of these projects in the public order, after `from` up to `to`. On `pg`, because every open stream waits
 * for it.
 */
export async function readEvents(
  projectIds: readonly string[],
  from: bigint,
  to: bigint,
  { limit, broadcasts }: { limit: number; broadcasts: boolean },
): Promise<EventRow[]> {
  const { rows } = await pool().query<EventRow>({
    name: "stream.read_events",
    text: `SELECT id, project_id AS "projectId", email_id AS "emailId", type, data, occurred_at AS "occurredAt", seq,
        CASE WHEN $5 THEN (SELECT e.broadcast_id FROM emails e WHERE e.project_id = events.project_id AND e.id = email_id) END AS "broadcastId"
      FROM events WHERE project_id = ANY ($1) AND seq > $2 AND seq <= $3 AND type = ANY ($4) AND email_id IS NOT NULL
      ORDER BY seq LIMIT $6`,
    values: [projectIds, from, to, streamedTypes, broadcasts, limit],
  })
  return rows
}

/** Events that were added concurrently get their positions in another order than their ids: at most so many at once. */
const neighbours = 1_000

/**
 * The position in the public order after which a stream resumes; null when no event has one since. An event that the project
 * does not have (any more) counts as the time in its id: the thousand entries of the primary key since then are read, over
 * all projects, because they share the order. On `pg`, because readers that reconnect wait for it.
 */
export async function seqOf(projectId: string, eventId: string): Promise<bigint | null> {
  const firstOfItsTime = `${eventId.slice(0, 14)}7000-8000-000000000000`
  const { rows } = await pool().query<{ seq: string | null }>(
    `SELECT CASE WHEN stored.id IS NOT NULL THEN stored.seq ELSE (
          SELECT min(seq) - 1 FROM (SELECT seq FROM events WHERE id >= $3 ORDER BY id LIMIT ${neighbours}) AS since
        ) END AS seq
      FROM (SELECT) AS one LEFT JOIN (SELECT id, seq FROM events WHERE project_id = $1 AND id = $2) AS stored ON true`,
    [projectId, eventId, firstOfItsTime],
  )
  const seq = rows[0]?.seq ?? null
  return seq === null ? null : BigInt(seq)
}

/** The current end of the public order. On `pg`, because every open stream of all projects waits for it. */
export async function lastSeq(): Promise<bigint> {
  const { rows } = await pool().query<{ seq: string }>("SELECT last_seq AS seq FROM dispatch_state")
  return BigInt(rows[0]?.seq ?? 0)
}
