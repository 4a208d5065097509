import { databaseTime } from "@/lib/platform/database/clock-sql"
import { unscoped } from "@/lib/platform/database/db"

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
