import { unscoped } from "@/lib/platform/database/db"
import { Prisma } from "@/prisma/generated/client"

type Tx = Prisma.TransactionClient

/** Can still be accepted, by the database's clock. */
const open = Prisma.sql`i.accepted_at IS NULL AND i.revoked_at IS NULL AND i.expires_at > now()`

export type LockedInvite = { id: string; organizationId: string; role: string; mailed: boolean }

/** The open invites of an address, or the one of that id or token. Raw, because Prisma has no row locks. */
export function lockOpenInvites(
  { email, inviteId, tokenHash }: { email: string; inviteId?: string; tokenHash?: Buffer },
  tx: Tx,
): Promise<LockedInvite[]> {
  return tx.$queryRaw<LockedInvite[]>`
    SELECT i.id, i.organization_id AS "organizationId", i.role, i.mailed FROM invites i
      WHERE i.email = ${email} AND ${open}
        AND (${inviteId ?? null}::uuid IS NULL OR i.id = ${inviteId ?? null}::uuid)
        AND (${tokenHash ?? null}::bytea IS NULL OR i.token_hash = ${tokenHash ?? null}::bytea)
      ORDER BY i.id FOR UPDATE`
}

/** True when the address has an invite that can still be accepted. Raw, because it expires by the database's clock. */
export async function isInvited(email: string): Promise<boolean> {
  const rows = await unscoped().$queryRaw<
    unknown[]
  >`SELECT 1 FROM invites i WHERE i.email = ${email} AND ${open} LIMIT 1`
  return rows.length > 0
}

/** What an invite's own page shows. */
export type OpenInvite = {
  id: string
  email: string
  role: string
  organization: string
  invitedBy: string | null
  hasAccount: boolean
}

/** The open invite of a token, or null. Raw, because it expires by the database's clock. */
export async function findOpenInvite(tokenHash: Buffer): Promise<OpenInvite | null> {
  const [invite] = await unscoped().$queryRaw<OpenInvite[]>`
    SELECT i.id, i.email, i.role, o.name AS organization, coalesce(b.name, b.email) AS "invitedBy",
        EXISTS (SELECT 1 FROM users u WHERE u.email = i.email) AS "hasAccount"
      FROM invites i JOIN organizations o ON o.id = i.organization_id LEFT JOIN users b ON b.id = i.invited_by
      WHERE i.token_hash = ${tokenHash} AND ${open}`
  return invite ?? null
}

/** Raw, because Prisma cannot write the database's time. */
export async function acceptInvite(id: string, tx: Tx): Promise<void> {
  await tx.$executeRaw`UPDATE invites SET accepted_at = now() WHERE id = ${id}::uuid`
}

type Revocable = { organizationId: string } & ({ id: string } | { email: string })

/**
 * Revokes what is neither accepted nor revoked, expired or not; false when there is no such invite. Raw, because Prisma
 * cannot write the database's time.
 */
export async function revokeInvites({ organizationId, ...which }: Revocable, tx: Tx): Promise<boolean> {
  const these = "id" in which ? Prisma.sql`id = ${which.id}::uuid` : Prisma.sql`email = ${which.email}`
  const revoked = await tx.$executeRaw`
    UPDATE invites SET revoked_at = now()
      WHERE organization_id = ${organizationId}::uuid AND ${these} AND accepted_at IS NULL AND revoked_at IS NULL`
  return revoked > 0
}

/** Invites of the last 24 hours that nobody has accepted. Raw, because the day is measured by the database's clock. */
export async function invitesToday(organizationId: string, tx: Tx): Promise<number> {
  const [row] = await tx.$queryRaw<{ count: number }[]>`
    SELECT count(*)::int AS count FROM invites
      WHERE organization_id = ${organizationId}::uuid AND created_at > now() - interval '24 hours' AND accepted_at IS NULL`
  return row?.count ?? 0
}
