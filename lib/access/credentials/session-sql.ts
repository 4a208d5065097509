import { pool, unscoped } from "@/lib/platform/database/db"
import { daysToRestore } from "@/lib/platform/database/deleted-projects"
import { newId } from "@/lib/platform/ids"

/** How a session was opened. */
export type SignInWay = "password" | "link" | "github" | "google"

export type NewSession = { by?: SignInWay; ip?: string; userAgent?: string; passwordHash?: string }

/**
 * Opens a session of 14 days at most. Null without such a user, and when `passwordHash` is no longer the user's: changing
 * or removing a password ends the sessions it opened, and no new one may open meanwhile. Raw, because the check locks the
 * user's row.
 */
export async function openSession(userId: string, from: NewSession): Promise<string | null> {
  const id = newId()
  const opened = await unscoped().$executeRaw`
    INSERT INTO sessions (id, user_id, expires_at, signed_in_by, ip, user_agent)
      SELECT ${id}::uuid, id, now() + interval '14 days', ${from.by ?? "password"}, ${from.ip ?? null},
          left(${from.userAgent ?? null}, 500)
        FROM users WHERE id = ${userId}::uuid
          AND (${from.passwordHash ?? null}::text IS NULL OR password_hash = ${from.passwordHash ?? null}) FOR SHARE`
  return opened ? id : null
}

/**
 * Records that a session is used. Raw, because a request waits for it, and Prisma would take two statements to write the
 * database's time.
 */
export async function touchSession(sessionId: string): Promise<void> {
  await unscoped().$executeRaw`UPDATE sessions SET last_seen_at = now() WHERE id = ${sessionId}::uuid`
}

export type SessionDetails = {
  name: string | null
  createdAt: Date
  expiresAt: Date
  confirmedAt: Date
  by: string
  hasPassword: boolean
  organizations: {
    id: string
    name: string
    role: string
    projects: {
      id: string
      name: string
      slug: string
      region: string
      status: string
      suspensionReason: string | null
    }[]
    /** Of owners: what they can restore. */
    deletedProjects: { id: string; name: string; slug: string; deletedAt: string }[]
  }[]
}

/**
 * A session, its user and their organizations with their projects, oldest first. On `pg`, because every page waits for it:
 * Prisma takes five statements.
 */
export async function findSessionDetails(sessionId: string): Promise<SessionDetails | null> {
  const { rows } = await pool().query<SessionDetails>({
    name: "access.find_session_details",
    text: `SELECT u.name, s.created_at AS "createdAt", s.expires_at AS "expiresAt", s.confirmed_at AS "confirmedAt",
        s.signed_in_by AS by, u.password_hash IS NOT NULL AS "hasPassword",
        coalesce((SELECT jsonb_agg(jsonb_build_object('id', o.id, 'name', o.name, 'role', m.role, 'projects',
            coalesce((SELECT jsonb_agg(jsonb_build_object('id', p.id, 'name', p.name, 'slug', p.slug, 'region', p.region,
                'status', CASE WHEN p.suspended_at IS NULL THEN 'active' ELSE 'suspended' END,
                'suspensionReason', p.suspension_reason) ORDER BY p.id)
              FROM projects p WHERE p.organization_id = o.id AND p.deleted_at IS NULL), '[]'), 'deletedProjects',
            coalesce((SELECT jsonb_agg(jsonb_build_object('id', p.id, 'name', p.name, 'slug', p.slug,
                'deletedAt', p.deleted_at) ORDER BY p.id)
              FROM projects p WHERE p.organization_id = o.id AND m.role = 'owner'
                AND p.deleted_at > now() - interval '${daysToRestore} days'), '[]')) ORDER BY o.id)
          FROM members m JOIN organizations o ON o.id = m.organization_id WHERE m.user_id = u.id), '[]') AS organizations
      FROM sessions s JOIN users u ON u.id = s.user_id WHERE s.id = $1`,
    values: [sessionId],
  })
  return rows[0] ?? null
}
