import { lockAddresses, lockContacts } from "@/lib/consent/locks-sql"
import { storedReason, type SuppressionReason } from "@/lib/consent/rules"
import type { ScopedDb } from "@/lib/platform/database/scoped-types"
import { nullIfMissing } from "@/lib/platform/database/sql-errors"

export type Removed = {
  reason: SuppressionReason
  /** Whether this has subscribed its contact again. */
  resubscribed: boolean
}

/**
 * Takes an address off the list; with the reason `unsubscribe`, its contact is subscribed again (by a trigger). If another
 * reason hid the unsubscribe of a contact, that reason is removed and the unsubscribe remains until it is removed itself.
 * Null where the list does not have it.
 */
export async function removeSuppression(projectId: string, email: string, tx: ScopedDb): Promise<Removed | null> {
  await lockAddresses(projectId, [email], tx)
  const [contact] = await lockContacts(projectId, { emails: [email] }, tx)
  return contact?.unsubscribed ? removeOfUnsubscribed(email, tx) : remove(email, tx)
}

async function remove(email: string, tx: ScopedDb): Promise<Removed | null> {
  const removed = await nullIfMissing(
    tx.suppression.delete({ where: { projectId_email: { email } }, select: { reason: true } }),
  )
  return removed && { reason: storedReason(removed.reason), resubscribed: false }
}

async function removeOfUnsubscribed(email: string, tx: ScopedDb): Promise<Removed | null> {
  const found = await tx.suppression.findFirst({ where: { email }, select: { reason: true } })
  if (!found) return null
  const reason = storedReason(found.reason)
  const staysUnsubscribed = reason !== "unsubscribe"
  // Only with the reason that was read: a complaint can replace it between the two statements, and is then read again.
  const where = { email, reason }
  const { count } = staysUnsubscribed
    ? await tx.suppression.updateMany({ where, data: { reason: "unsubscribe", ...withoutSource } })
    : await tx.suppression.deleteMany({ where })
  return count ? { reason, resubscribed: !staysUnsubscribed } : removeOfUnsubscribed(email, tx)
}

const withoutSource = { emailId: null, eventId: null, evidence: null }
