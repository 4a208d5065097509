import { pool } from "@/lib/platform/database/db"
import { daysToRestore } from "@/lib/platform/database/deleted-projects"
import type { KeyPrincipal, ProjectInScope, SessionPrincipal } from "@/lib/platform/http/scope"

const projectColumns = `p.id AS project_id, p.organization_id, p.name AS project_name, p.slug, p.region,
  p.suspended_at IS NOT NULL AS suspended, p.max_recipients, o.multi_region`

type ProjectRow = {
  project_id: string
  organization_id: string
  project_name: string
  slug: string
  region: string
  suspended: boolean
  max_recipients: number
  multi_region: boolean
}

/** What a request needs to know about its key: who it is, and its project. */
export type LiveKey = {
  principal: KeyPrincipal
  project: ProjectInScope
  organization: { id: string; multiRegion: boolean }
  /** By the database's clock, at the time of the read; null when it never expires. */
  msToExpiry: number | null
}

/**
 * Live keys by the base64 of their hash; those of a deleted project are unknown. One indexed query, whatever the number of
 * keys. On `pg`, because every request with a key waits for it.
 */
export async function findKeys(hashes: Buffer[]): Promise<Map<string, LiveKey>> {
  type Row = ProjectRow & { hash: Buffer; key_id: string; permissions: string[]; ms_to_expiry: number | null }
  const { rows } = await pool().query<Row>({
    name: "access.find_keys",
    text: `SELECT k.hash, k.id AS key_id, k.permissions,
        (extract(epoch FROM k.expires_at - now()) * 1000)::float8 AS ms_to_expiry, ${projectColumns}
      FROM api_keys k JOIN projects p ON p.id = k.project_id JOIN organizations o ON o.id = p.organization_id
      WHERE k.hash = ANY ($1) AND p.deleted_at IS NULL AND k.revoked_at IS NULL AND (k.expires_at IS NULL OR k.expires_at > now())`,
    values: [hashes],
  })
  return new Map(rows.map((row) => [row.hash.toString("base64"), toLiveKey(row)]))
}

function toLiveKey(row: ProjectRow & { key_id: string; permissions: string[]; ms_to_expiry: number | null }): LiveKey {
  return {
    principal: {
      kind: "key",
      keyId: row.key_id,
      projectId: row.project_id,
      organizationId: row.organization_id,
      permissions: new Set(row.permissions),
    },
    project: toProject(row),
    organization: { id: row.organization_id, multiRegion: row.multi_region },
    msToExpiry: row.ms_to_expiry,
  }
}

function toProject(row: ProjectRow): ProjectInScope {
  const { project_id, organization_id, project_name, slug, region, suspended, max_recipients } = row
  return {
    id: project_id,
    organizationId: organization_id,
    name: project_name,
    slug,
    region,
    suspended,
    maxRecipients: max_recipients,
  }
}

export type MemberProject = { project: ProjectInScope; organization: { id: string; multiRegion: boolean } }

/**
 * A project that the user is a member of, or null. Without an id, the oldest one. With `deleted`, also one that can be
 * restored. On `pg`, because every request with a session waits for it.
 */
export async function findMemberProject(
  userId: string,
  projectId: string | null,
  { deleted = false }: { deleted?: boolean } = {},
): Promise<MemberProject | null> {
  const { rows } = await pool().query<ProjectRow>({
    name: "access.find_member_project",
    text: `SELECT ${projectColumns} FROM members m JOIN organizations o ON o.id = m.organization_id
      JOIN projects p ON p.organization_id = o.id
      WHERE m.user_id = $1 AND ($2::uuid IS NULL OR p.id = $2)
        AND (p.deleted_at IS NULL OR $3 AND p.deleted_at > now() - interval '${daysToRestore} days') ORDER BY p.id LIMIT 1`,
    values: [userId, projectId, deleted],
  })
  const [row] = rows
  return row
    ? { project: toProject(row), organization: { id: row.organization_id, multiRegion: row.multi_region } }
    : null
}

/**
 * The person of a session that has not ended: not revoked, used within 24 h, not older than 14 d. On `pg`, because every
 * request with a session waits for it.
 */
export async function findSession(sessionId: string): Promise<SessionPrincipal | null> {
  type Row = {
    user_id: string
    email: string
    name: string | null
    organization_id: string | null
    role: string | null
    operator: boolean
  }
  const { rows } = await pool().query<Row>({
    name: "access.find_session",
    text: `SELECT u.id AS user_id, u.email, u.name, u.operator_since IS NOT NULL AS operator, m.organization_id, m.role
      FROM sessions s JOIN users u ON u.id = s.user_id LEFT JOIN members m ON m.user_id = u.id
      WHERE s.id = $1 AND s.revoked_at IS NULL AND s.expires_at > now() AND s.last_seen_at > now() - interval '24 hours'`,
    values: [sessionId],
  })
  const [first] = rows
  if (!first) return null
  const roles = new Map(
    rows.flatMap((row) => (row.organization_id && row.role ? [[row.organization_id, row.role]] : [])),
  )
  const { user_id: userId, email, name, operator } = first
  return { kind: "session", sessionId, userId, email, name, roles, operator }
}
