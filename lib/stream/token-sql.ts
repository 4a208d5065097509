import { pool } from "@/lib/platform/database/db"

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
