import { addAudit } from "@/lib/access/audit-store"
import type { Verdict } from "@/lib/contacts/rules"
import type { EmailValidation } from "@/lib/contacts/schema"
import { writeVerdict } from "@/lib/contacts/validation-sql"
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

/** Stores our own verdict, unless another was recorded meanwhile. */
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
    const before = await writeVerdict(scope, contactId, { status, reason }, now, tx)
    if (before === null) return false
    const changes = { status: [before, status], ...(reason ? { reason } : {}) }
    await addAudit(scope, { action: "contact.validation_recorded", target: encodeId("con", contactId), changes }, tx)
    return true
  })
}
