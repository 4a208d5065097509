import { pool } from "@/lib/platform/database/db"
import type { ScopedDb } from "@/lib/platform/database/scoped-types"
import type { Scope } from "@/lib/platform/http/scope"
import type { Ticket } from "@/lib/stream/store"

/** Raw, because it expires by the database's clock, read after the wait for the lock. */
export async function insertToken({ project, principal }: Scope, hash: Buffer, tx: ScopedDb): Promise<Date> {
  const keyId = principal.kind === "key" ? principal.keyId : null
  const sessionId = principal.kind === "session" ? principal.sessionId : null
  const [row] = await tx.$queryRaw<{ expiresAt: Date }[]>`
    INSERT INTO stream_tokens (token_hash, project_id, key_id, session_id, expires_at, created_at)
      VALUES (${new Uint8Array(hash)}, ${project.id}::uuid, ${keyId}::uuid, ${sessionId}::uuid,
        clock_timestamp() + interval '60 seconds', clock_timestamp())
      RETURNING expires_at AS "expiresAt"`
  if (!row) throw new Error("The token was not stored.")
  return row.expiresAt
}

/** Deletes all live tokens but the newest `most`. Raw, because they are live by the database's clock. */
export async function dropOldestTokens({ project }: Scope, most: number, tx: ScopedDb): Promise<void> {
  await tx.$executeRaw`
    DELETE FROM stream_tokens WHERE token_hash IN (
      SELECT token_hash FROM stream_tokens
        WHERE project_id = ${project.id}::uuid AND used_at IS NULL AND expires_at > clock_timestamp()
        ORDER BY created_at DESC OFFSET ${most}::int)`
}

/**
 * Uses a token: of any number of concurrent calls one gets the ticket. On `pg`, because the token alone names its project
 * (it is looked up in all projects), and it expires by the database's clock.
 */
export async function redeemToken(hash: Buffer): Promise<Ticket | null> {
  const { rows } = await pool().query<{ projectId: string }>(
    `UPDATE stream_tokens SET used_at = clock_timestamp(), seen_at = clock_timestamp()
      WHERE token_hash = $1 AND used_at IS NULL AND expires_at > clock_timestamp() RETURNING project_id AS "projectId"`,
    [hash],
  )
  const [row] = rows
  return row ? { hash, ...row } : null
}

/**
 * Streams of a project that are open on any process: one counts as open for 15 s after its process last said so. On `pg`,
 * because it compares with the database's clock.
 */
export async function countOpen(projectId: string): Promise<number> {
  const { rows } = await pool().query<{ open: number }>(
    `SELECT count(*)::int AS open FROM stream_tokens
      WHERE project_id = $1 AND seen_at > clock_timestamp() - interval '15 seconds'`,
    [projectId],
  )
  return rows[0]?.open ?? 0
}

/**
 * Says that these streams are open; answers the hashes (base64) of those whose key or session is still valid. On `pg`,
 * because one statement serves the streams of all projects.
 */
export async function keepOpen(hashes: readonly Buffer[]): Promise<Set<string>> {
  const { rows } = await pool().query<{ hash: Buffer }>(
    `UPDATE stream_tokens t SET seen_at = clock_timestamp() FROM projects p
      WHERE t.token_hash = ANY ($1) AND p.id = t.project_id AND p.deleted_at IS NULL AND (
        EXISTS (SELECT 1 FROM api_keys k
          WHERE k.id = t.key_id AND k.revoked_at IS NULL AND (k.expires_at IS NULL OR k.expires_at > now()))
        OR EXISTS (SELECT 1 FROM sessions s JOIN members m ON m.user_id = s.user_id AND m.organization_id = p.organization_id
          WHERE s.id = t.session_id AND s.revoked_at IS NULL AND s.expires_at > now()))
      RETURNING t.token_hash AS hash`,
    [hashes],
  )
  return new Set(rows.map(({ hash }) => hash.toString("base64")))
}
