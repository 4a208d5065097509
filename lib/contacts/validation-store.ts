import { addAudit } from "@/lib/access/audit-store"
import { lockContact } from "@/lib/consent/locks-sql"
import type { Verdict } from "@/lib/contacts/rules"
import type { EmailValidation } from "@/lib/contacts/schema"
import { databaseTime } from "@/lib/platform/database/clock-sql"
import { db } from "@/lib/platform/database/scoped-db"
import { encodeId } from "@/lib/platform/ids"
import { present } from "@/lib/platform/schema"
import type { Scope } from "@/lib/platform/http/scope"

/** What is known of a contact's address; null where there is no such contact. */
export async function findValidation(
  scope: Scope,
  contactId: string,
): Promise<(EmailValidation & { email: string }) | null> {
  const row = await db(scope).contact.findUnique({
    where: { id: contactId },
    select: { email: true, validationStatus: true, validationReason: true, validatedAt: true },
  })
  return (
    row && {
      object: "email_validation",
      status: row.validationStatus,
      reason: present(row.validationReason),
      validatedAt: present(row.validatedAt),
      email: row.email,
    }
  )
}

/** Stores our own result, unless another was recorded in the meantime. */
export async function keepVerdict(
  scope: Scope,
  contactId: string,
  { status, reason }: Verdict,
  now: Date,
): Promise<void> {
  await db(scope).contact.updateMany({
    where: { id: contactId, validatedAt: null },
    data: { validationStatus: status, validationReason: reason ?? null, validatedAt: now },
  })
}

/** Records what the caller has found out, with an audit entry. False where there is no such contact. */
export async function recordVerdict(
  scope: Scope,
  contactId: string,
  { status, reason }: Verdict,
  now: Date,
): Promise<boolean> {
  return db(scope).$transaction(async (tx) => {
    // The status before is the one that is replaced, whoever else records one at the same time.
    await lockContact(scope.project.id, { id: contactId }, tx)
    const where = { id: contactId }
    const before = await tx.contact.findUnique({ where, select: { validationStatus: true } })
    if (!before) return false
    await tx.contact.updateMany({
      where,
      data: {
        validationStatus: status,
        validationReason: reason ?? null,
        validatedAt: now,
        updatedAt: await databaseTime(tx),
      },
    })
    const changes = { status: [before.validationStatus, status], ...(reason ? { reason } : {}) }
    await addAudit(scope, { action: "contact.validation_recorded", target: encodeId("con", contactId), changes }, tx)
    return true
  })
}
