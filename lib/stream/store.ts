import { streamedTypes } from "@/lib/stream/schema"
import { pool, transaction } from "@/lib/platform/database/db"
import type { Scope } from "@/lib/platform/http/scope"

const LIVE_TOKENS_MAX = 30

/** Keeps the hash of a token that may open one stream within 60 s; the oldest live one dies when there are 30 already. */
export async function addToken(scope: Scope, hash: Buffer): Promise<Date> {
  const { principal } = scope
  return transaction(async (client) => {
    // One after the other in a project: tokens that are made side by side do not see each other to be counted, and each
    // would delete what the other is deleting.
    await client.query("SELECT pg_advisory_xact_lock(hashtextextended('stream_tokens|' || $1, 0))", [scope.project.id])
    const { rows } = await client.query<{ expires_at: Date }>(
      `INSERT INTO stream_tokens (token_hash, project_id, key_id, session_id, expires_at, created_at)
        VALUES ($1, $2, $3, $4, clock_timestamp() + interval '60 seconds', clock_timestamp()) RETURNING expires_at`,
      [
        hash,
        scope.project.id,
        principal.kind === "key" ? principal.keyId : null,
        principal.kind === "session" ? principal.sessionId : null,
      ],
    )
    await client.query(
      `DELETE FROM stream_tokens WHERE token_hash IN (
        SELECT token_hash FROM stream_tokens WHERE project_id = $1 AND used_at IS NULL AND expires_at > clock_timestamp()
          ORDER BY created_at DESC OFFSET ${LIVE_TOKENS_MAX})`,
      [scope.project.id],
    )
    const [row] = rows
    if (!row) throw new Error("The token was not stored.")
    return row.expires_at
  })
}

/** Who may read a stream. `hash` names it while it is open. */
export type Ticket = { hash: Buffer; projectId: string }

/** A stream counts as open while its process has said so within this time. */
const OPEN_WITHIN = "interval '15 seconds'"

/** Uses a token up: of any number of parallel tries one gets the ticket. Times are the database's. */
export async function redeemToken(hash: Buffer): Promise<Ticket | null> {
  const { rows } = await pool().query<{ project_id: string }>(
    `UPDATE stream_tokens SET used_at = clock_timestamp(), seen_at = clock_timestamp()
      WHERE token_hash = $1 AND used_at IS NULL AND expires_at > clock_timestamp() RETURNING project_id`,
    [hash],
  )
  const [row] = rows
  return row ? { hash, projectId: row.project_id } : null
}

/** Streams of a project that are open on any process. */
export async function countOpen(projectId: string): Promise<number> {
  const { rows } = await pool().query<{ open: number }>(
    `SELECT count(*)::int AS open FROM stream_tokens WHERE project_id = $1 AND seen_at > clock_timestamp() - ${OPEN_WITHIN}`,
    [projectId],
  )
  return rows[0]?.open ?? 0
}

/** Says that these streams are open; the hashes (base64) of those whose key or session is still good come back. */
export async function keepOpen(hashes: readonly Buffer[]): Promise<Set<string>> {
  const { rows } = await pool().query<{ token_hash: Buffer }>(
    `UPDATE stream_tokens t SET seen_at = clock_timestamp() FROM projects p
      WHERE t.token_hash = ANY ($1) AND p.id = t.project_id AND p.deleted_at IS NULL AND (
        EXISTS (SELECT 1 FROM api_keys k
          WHERE k.id = t.key_id AND k.revoked_at IS NULL AND (k.expires_at IS NULL OR k.expires_at > now()))
        OR EXISTS (SELECT 1 FROM sessions s JOIN members m ON m.user_id = s.user_id AND m.organization_id = p.organization_id
          WHERE s.id = t.session_id AND s.revoked_at IS NULL AND s.expires_at > now()))
      RETURNING t.token_hash`,
    [hashes],
  )
  return new Set(rows.map(({ token_hash }) => token_hash.toString("base64")))
}

export async function markClosed(hash: Buffer): Promise<void> {
  await pool().query("UPDATE stream_tokens SET seen_at = NULL WHERE token_hash = $1", [hash])
}

export type EventRow = {
  id: string
  project_id: string
  email_id: string
  type: string
  data: Record<string, string>
  occurred_at: Date
  seq: string
}

const EVENT_COLUMNS = "id, project_id, email_id, type, data, occurred_at, seq"

/** Streamed events of these projects in a stretch of the public order, after `from` up to `to`. */
export async function readEvents(
  projectIds: readonly string[],
  from: bigint,
  to: bigint,
  limit: number,
): Promise<EventRow[]> {
  const { rows } = await pool().query<EventRow>({
    name: "stream.read_events",
    text: `SELECT ${EVENT_COLUMNS} FROM events WHERE project_id = ANY ($1) AND seq > $2 AND seq <= $3 AND type = ANY ($4)
      AND email_id IS NOT NULL ORDER BY seq LIMIT ${limit}`,
    values: [projectIds, from, to, streamedTypes],
  })
  return rows
}

/** Events that were made side by side get their places in another order than their ids: at most so many at once. */
const NEIGHBOURS = 1_000

/**
 * The place in the public order after which what came since an event begins. One that the project does not have (any
 * more) stands for the time in its id. Null when nothing has a place since.
 */
export async function seqOf(projectId: string, eventId: string): Promise<bigint | null> {
  const stored = await pool().query<{ seq: string | null }>(
    "SELECT seq FROM events WHERE project_id = $1 AND id = $2",
    [projectId, eventId],
  )
  const { seq } = stored.rows[0] ?? (await placeBefore(eventId))
  return seq ? BigInt(seq) : null
}

/** Over all projects, for they share the order: so it reads a thousand entries of the primary key, whatever the project has. */
async function placeBefore(eventId: string): Promise<{ seq: string | null }> {
  const firstOfItsTime = `${eventId.slice(0, 14)}7000-8000-000000000000`
  const { rows } = await pool().query<{ seq: string | null }>(
    `SELECT min(seq) - 1 AS seq FROM (SELECT seq FROM events WHERE id >= $1 ORDER BY id LIMIT ${NEIGHBOURS}) AS since`,
    [firstOfItsTime],
  )
  return rows[0] ?? { seq: null }
}

/** The end of the public order as it stands. */
export async function lastSeq(): Promise<bigint> {
  const { rows } = await pool().query<{ last_seq: string }>("SELECT last_seq FROM dispatch_state")
  return BigInt(rows[0]?.last_seq ?? 0)
}
