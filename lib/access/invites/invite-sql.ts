import type { Prisma } from "@/prisma/generated/client"

export type LockedInvite = { id: string; organizationId: string; role: string; mailed: boolean }

/** The open invites of an address, or the one of that id or token. Raw, because Prisma has no row locks. */
export function lockOpenInvites(
  { email, inviteId, tokenHash }: { email: string; inviteId?: string; tokenHash?: Buffer },
  tx: Prisma.TransactionClient,
): Promise<LockedInvite[]> {
  return tx.$queryRaw<LockedInvite[]>`
    SELECT id, organization_id AS "organizationId", role, mailed FROM invites
      WHERE email = ${email} AND accepted_at IS NULL AND revoked_at IS NULL AND expires_at > now()
        AND (${inviteId ?? null}::uuid IS NULL OR id = ${inviteId ?? null}::uuid)
        AND (${tokenHash ?? null}::bytea IS NULL OR token_hash = ${tokenHash ?? null}::bytea)
      ORDER BY id FOR UPDATE`
}
