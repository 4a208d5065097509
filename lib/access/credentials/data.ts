import { databaseTime } from "@/lib/platform/database/clock-sql"
import { pool, unscoped } from "@/lib/platform/database/db"
import { daysToRestore } from "@/lib/platform/database/deletion-sql"
import { readRange } from "@/lib/platform/http/address-range-rules"
import type { KeyPrincipal, ProjectInScope, SessionPrincipal } from "@/lib/platform/http/scope"
import { newId } from "@/lib/platform/ids"
import type { Prisma } from "@/prisma/generated/client"

/** How a session was opened. */
export type SignInWay = "password" | "link" | "github" | "google" | "oidc" | "passkey"

export type NewSession = { by?: SignInWay; ip?: string; userAgent?: string; passwordHash?: string }

/**
 * Opens a session of 14 days at most. Null without such a user, and when `passwordHash` is no longer the user's: changing
 * or removing a password ends the sessions it opened, and no new one may open meanwhile: the
 * check locks the user's row.
 */
export async function openSession(
  userId: string,
  from: NewSession,
  on: Prisma.TransactionClient = unscoped(),
): Promise<string | null> {
  const id = newId()
  const opened = await on.$executeRaw`
    INSERT INTO sessions (id, user_id, expires_at, signed_in_by, ip, user_agent)
      SELECT ${id}::uuid, id, now() + interval '14 days', ${from.by ?? "password"}, ${from.ip ?? null},
          left(${from.userAgent ?? null}, 500)
        FROM users WHERE id = ${userId}::uuid
          AND (${from.passwordHash ?? null}::text IS NULL OR password_hash = ${from.passwordHash ?? null}) FOR SHARE`
  return opened ? id : null
}

/** Records that a session is used. */
export async function touchSession(sessionId: string): Promise<void> {
  await unscoped().$executeRaw`UPDATE sessions SET last_seen_at = now() WHERE id = ${sessionId}::uuid`
}

/** Records that the user has just confirmed their identity. */
export async function markConfirmed(sessionId: string): Promise<void> {
  await unscoped().session.updateMany({ where: { id: sessionId }, data: { confirmedAt: await databaseTime() } })
}

type Which = { id: string } | { userId: string; id?: { not: string } }

/** Ends one session, or those of a user: within 1 s in every process. */
export async function revokeSessions(which: Which, on: Prisma.TransactionClient = unscoped()): Promise<void> {
  await on.session.updateMany({ where: { ...which, revokedAt: null }, data: { revokedAt: await databaseTime(on) } })
}

/** Who a sign-in link is for: a user by id, or an address that an invite admits. */
export type LinkRecipient = { userId: string } | { email: string }

/** Stores the hash of a new sign-in link. */
export async function addSignInLink(recipient: LinkRecipient, tokenHash: Buffer, expiresAt: Date): Promise<void> {
  const data = { ...recipient, tokenHash: new Uint8Array(tokenHash), expiresAt }
  await unscoped().signInLink.createMany({ data })
}

/** Uses a sign-in link, once and in time; null otherwise. */
export async function takeSignInLink(tokenHash: Buffer): Promise<LinkRecipient | null> {
  const now = await databaseTime()
  const [taken] = await unscoped().signInLink.updateManyAndReturn({
    where: { tokenHash: new Uint8Array(tokenHash), usedAt: null, expiresAt: { gt: now } },
    data: { usedAt: now },
    select: { userId: true, email: true },
  })
  if (taken?.userId) return { userId: taken.userId }
  return taken?.email ? { email: taken.email } : null
}

// What a request or a page waits for, on `pg`: Prisma takes up to five statements for it.

/** What a request needs to know about its key: who it is, and its project. */
export type LiveKey = {
  principal: KeyPrincipal
  project: ProjectInScope
  organization: { id: string; multiRegion: boolean }
  /** By the database's clock, at the time of the read; null when it never expires. */
  msToExpiry: number | null
  /** Its organization is on its way to another cell, or there. */
  away: { state: "moving" | "left"; cell: string } | null
}

/**
 * Live keys by the base64 of their hash; those of a deleted project are unknown, unless its organization moves to another cell. One indexed query, whatever the number of
 * keys.
 */
export async function findKeys(hashes: Buffer[]): Promise<Map<string, LiveKey>> {
  type Row = KeyRow & { hash: Buffer }
  const { rows } = await pool().query<Row>({
    name: "access.find_keys",
    text: `SELECT k.hash, k.id AS key_id, k.permissions, k.allowed_addresses, k.allowed_domains,
        (extract(epoch FROM k.expires_at - now()) * 1000)::float8 AS ms_to_expiry, m.state AS move, m.cell, ${projectColumns}
      FROM api_keys k JOIN projects p ON p.id = k.project_id JOIN organizations o ON o.id = p.organization_id
        LEFT JOIN cell_moves m ON m.organization_id = p.organization_id AND m.state IN ('held', 'left', 'arriving', 'returning')
      WHERE k.hash = ANY ($1) AND (p.deleted_at IS NULL OR m.state IS NOT NULL) AND k.revoked_at IS NULL AND (k.expires_at IS NULL OR k.expires_at > now())`,
    values: [hashes],
  })
  return new Map(rows.map((row) => [row.hash.toString("base64"), toLiveKey(row)]))
}

export type MemberProject = { project: ProjectInScope; organization: { id: string; multiRegion: boolean } }

/**
 * A project that the user is a member of, or null. Without an id, the oldest one. With `deleted`, also one that can be
 * restored.
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

/** The person of a session that has not ended: not revoked, used within 24 h, not older than 14 d. */
export async function findSession(sessionId: string): Promise<SessionPrincipal | null> {
  type Row = {
    user_id: string
    email: string
    name: string | null
    organization_id: string | null
    role: string | null
    operator: boolean
    withheld: boolean
  }
  const { rows } = await pool().query<Row>({
    name: "access.find_session",
    text: `SELECT u.id AS user_id, u.email, u.name, u.operator_since IS NOT NULL AS operator, m.organization_id, m.role,
        coalesce(${withheldSql("o", "u.id")}, false) AS withheld
      FROM sessions s JOIN users u ON u.id = s.user_id LEFT JOIN members m ON m.user_id = u.id
        LEFT JOIN organizations o ON o.id = m.organization_id
      WHERE s.id = $1 AND s.revoked_at IS NULL AND s.expires_at > now() AND s.last_seen_at > now() - interval '24 hours'`,
    values: [sessionId],
  })
  const [first] = rows
  if (!first) return null
  const roles = new Map<string, string>()
  const withheld = new Set<string>()
  for (const { organization_id: id, role, withheld: isWithheld } of rows) {
    if (id && isWithheld) withheld.add(id)
    else if (id && role) roles.set(id, role)
  }
  const { user_id: userId, email, name, operator } = first
  return { kind: "session", sessionId, userId, email, name, roles, withheld, operator }
}

type SessionDetails = {
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

/** A session, its user and their organizations with their projects, oldest first. */
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

type KeyRow = ProjectRow & {
  key_id: string
  permissions: string[]
  allowed_addresses: string[]
  allowed_domains: string[]
  ms_to_expiry: number | null
  move: string | null
  cell: string | null
}

/** States of a move in which the organization works in the other cell. */
const worksElsewhere: ReadonlySet<string> = new Set(["left", "returning"])

function toLiveKey(row: KeyRow): LiveKey {
  const { allowed_addresses: addresses, allowed_domains: domains } = row
  return {
    principal: {
      kind: "key",
      keyId: row.key_id,
      projectId: row.project_id,
      organizationId: row.organization_id,
      permissions: new Set(row.permissions),
      addresses: addresses.length ? addresses.map(readRange).filter((range) => range !== null) : null,
      domains: domains.length ? new Set(domains) : null,
    },
    project: toProject(row),
    organization: { id: row.organization_id, multiRegion: row.multi_region },
    msToExpiry: row.ms_to_expiry,
    away: row.move === null ? null : { state: worksElsewhere.has(row.move) ? "left" : "moving", cell: row.cell ?? "" },
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

/**
 * The condition, in raw SQL, that an organization requires a second factor which the user does not have. Both are aliases or
 * expressions of the statement around it.
 */
export function withheldSql(organization: string, userId: string): string {
  return `${organization}.second_factor_required
    AND NOT EXISTS (SELECT 1 FROM totp_factors f WHERE f.user_id = ${userId} AND f.confirmed_at IS NOT NULL)
    AND NOT EXISTS (SELECT 1 FROM passkeys k WHERE k.user_id = ${userId})`
}
