import { addPersonAudit } from "@/lib/access/audit-store"
import { pool, transaction } from "@/lib/platform/database/db"
import { encodeId } from "@/lib/platform/ids"
import type { SessionPrincipal } from "@/lib/platform/http/scope"

/** True once the installation has a user: before, nobody can sign in. */
export async function somebodyExists(): Promise<boolean> {
  const { rows } = await pool().query<{ some: boolean }>("SELECT EXISTS (SELECT 1 FROM users) AS some")
  return rows[0]?.some ?? false
}

export type Person = { id: string; email: string; passwordHash: string | null }

export async function findPerson(email: string): Promise<Person | null> {
  const { rows } = await pool().query<Person>(
    `SELECT id, email, password_hash AS "passwordHash" FROM users WHERE email = $1`,
    [email],
  )
  return rows[0] ?? null
}

export async function passwordHashOf(userId: string): Promise<string | null> {
  const { rows } = await pool().query<{ password_hash: string | null }>(
    "SELECT password_hash FROM users WHERE id = $1",
    [userId],
  )
  return rows[0]?.password_hash ?? null
}

/**
 * Sets a password, ends every other session and voids the sign-in links: whoever else had a way in has it no longer. The
 * links to an unproven address stay, since only its owner gets those. False when the session has ended meanwhile.
 */
export async function setPassword(principal: SessionPrincipal, passwordHash: string): Promise<boolean> {
  return transaction(async (client) => {
    // Behind the lock, a sign-in that ended this session is seen.
    await client.query("SELECT 1 FROM users WHERE id = $1 FOR NO KEY UPDATE", [principal.userId])
    const { rowCount } = await client.query(
      `UPDATE users SET password_hash = $2
        WHERE id = $1 AND EXISTS (SELECT 1 FROM sessions WHERE id = $3 AND user_id = $1 AND revoked_at IS NULL)`,
      [principal.userId, passwordHash, principal.sessionId],
    )
    if (!rowCount) return false
    await client.query(
      "UPDATE sessions SET revoked_at = now() WHERE user_id = $1 AND revoked_at IS NULL AND id <> $2",
      [principal.userId, principal.sessionId],
    )
    await client.query(
      `DELETE FROM sign_in_links l USING users u
        WHERE u.id = $1 AND u.email_proven_at IS NOT NULL AND (l.user_id = u.id OR l.email = u.email)`,
      [principal.userId],
    )
    return true
  })
}

/** Names a person anew; each of their organizations, which list them by it, has it in its audit log. */
export async function renamePerson(
  { userId, roles }: SessionPrincipal,
  name: string,
  at: { ip: string; requestId: string },
): Promise<void> {
  await transaction(async (client) => {
    const { rows } = await client.query<{ name: string | null }>(
      "SELECT name FROM users WHERE id = $1 FOR NO KEY UPDATE",
      [userId],
    )
    const from = rows[0]?.name ?? null
    if (from === name) return
    await client.query("UPDATE users SET name = $2 WHERE id = $1", [userId, name])
    const entry = { action: "member.renamed", target: encodeId("usr", userId), changes: { name: { from, to: name } } }
    for (const organizationId of roles.keys()) await addPersonAudit({ organizationId, userId, ...at }, entry, client)
  })
}

/** Whom a sign-in link is for: a user by id, or an address that an invite admits. */
export type LinkHolder = { userId: string } | { email: string }

/** Keeps the hash of a fresh sign-in link. */
export async function addSignInLink(holder: LinkHolder, tokenHash: Buffer, expiresAt: Date): Promise<void> {
  const { userId = null, email = null } = holder as { userId?: string; email?: string }
  await pool().query("INSERT INTO sign_in_links (token_hash, user_id, email, expires_at) VALUES ($1, $2, $3, $4)", [
    tokenHash,
    userId,
    email,
    expiresAt,
  ])
}

/** Takes a link, once and in time; whom it signs in, or null. */
export async function takeSignInLink(tokenHash: Buffer): Promise<LinkHolder | null> {
  const { rows } = await pool().query<{ user_id: string | null; email: string | null }>(
    "UPDATE sign_in_links SET used_at = now() WHERE token_hash = $1 AND used_at IS NULL AND expires_at > now() RETURNING user_id, email",
    [tokenHash],
  )
  const { user_id: userId, email } = rows[0] ?? {}
  if (userId) return { userId }
  return email ? { email } : null
}

export type Membership = {
  organizationId: string
  organization: string
  role: string
  projects: { id: string; name: string; slug: string; region: string }[]
}

/** The organizations of a person with their projects, oldest first. */
export async function membershipsOf(userId: string): Promise<Membership[]> {
  const { rows } = await pool().query<Membership>(
    `SELECT o.id AS "organizationId", o.name AS organization, m.role,
        coalesce((SELECT json_agg(json_build_object('id', p.id, 'name', p.name, 'slug', p.slug, 'region', p.region) ORDER BY p.id)
          FROM projects p WHERE p.organization_id = o.id AND p.deleted_at IS NULL), '[]') AS projects
      FROM members m JOIN organizations o ON o.id = m.organization_id WHERE m.user_id = $1 ORDER BY o.id`,
    [userId],
  )
  return rows
}

export type OpenedSession = {
  name: string | null
  createdAt: Date
  expiresAt: Date
  confirmedAt: Date
  by: string
  hasPassword: boolean
}

/** How and when a session was opened. */
export async function sessionDetails(sessionId: string): Promise<OpenedSession | null> {
  const { rows } = await pool().query<OpenedSession>(
    `SELECT s.created_at AS "createdAt", s.expires_at AS "expiresAt", s.confirmed_at AS "confirmedAt", s.signed_in_by AS by,
        u.name, u.password_hash IS NOT NULL AS "hasPassword"
      FROM sessions s JOIN users u ON u.id = s.user_id WHERE s.id = $1`,
    [sessionId],
  )
  return rows[0] ?? null
}

/** The person has proved again who they are. */
export async function confirmSession(sessionId: string): Promise<void> {
  await pool().query("UPDATE sessions SET confirmed_at = now() WHERE id = $1", [sessionId])
}
