import { newId } from "@/lib/platform/ids"
import { unscoped } from "@/lib/platform/database/db"
import type { Prisma } from "@/prisma/generated/client"

type Tx = Prisma.TransactionClient

export type NewUser = { email: string; name?: string; passwordHash?: string; proven: boolean }

/** Adds a user; null when the address has one. Raw, because an address is proven at the database's time. */
export async function insertUser({ email, name, passwordHash, proven }: NewUser, tx: Tx): Promise<string | null> {
  const id = newId()
  const added = await tx.$executeRaw`
    INSERT INTO users (id, email, name, password_hash, email_proven_at)
      VALUES (${id}::uuid, ${email}, ${name ?? null}, ${passwordHash ?? null}, CASE WHEN ${proven} THEN now() END)
      ON CONFLICT (email) DO NOTHING`
  return added ? id : null
}

/** Marks the address as proven and removes the password. Raw, because Prisma cannot write the database's time. */
export async function markProven(userId: string, tx: Tx): Promise<void> {
  await tx.$executeRaw`UPDATE users SET email_proven_at = now(), password_hash = NULL WHERE id = ${userId}::uuid`
}

/** Who a sign-in link is for: a user by id, or an address that an invite admits. */
export type LinkRecipient = { userId: string } | { email: string }

/** Uses a sign-in link, once and in time; null otherwise. Raw, because it expires by the database's clock. */
export async function takeSignInLink(tokenHash: Buffer): Promise<LinkRecipient | null> {
  const [taken] = await unscoped().$queryRaw<{ userId: string | null; email: string | null }[]>`
    UPDATE sign_in_links SET used_at = now()
      WHERE token_hash = ${tokenHash} AND used_at IS NULL AND expires_at > now() RETURNING user_id AS "userId", email`
  if (taken?.userId) return { userId: taken.userId }
  return taken?.email ? { email: taken.email } : null
}
