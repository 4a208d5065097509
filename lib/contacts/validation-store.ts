import { addAudit } from "@/lib/access/audit-store"
import type { ValidationStatus } from "@/lib/contacts/rules"
import type { EmailValidation } from "@/lib/contacts/schema"
import { pool, transaction } from "@/lib/platform/database/db"
import { encodeId } from "@/lib/platform/ids"
import { present } from "@/lib/platform/schema"
import type { Scope } from "@/lib/platform/http/scope"

type Row = { email: string; validation_status: string; validation_reason: string | null; validated_at: Date | null }

/** What is known of a contact's address; null where there is no such contact. */
export async function findValidation(
  scope: Scope,
  contactId: string,
): Promise<(EmailValidation & { email: string }) | null> {
  const { rows } = await pool().query<Row>(
    "SELECT email, validation_status, validation_reason, validated_at FROM contacts WHERE project_id = $1 AND id = $2",
    [scope.project.id, contactId],
  )
  const [row] = rows
  if (!row) return null
  return {
    object: "email_validation",
    status: row.validation_status,
    reason: present(row.validation_reason),
    validatedAt: present(row.validated_at),
    email: row.email,
  }
}

export type Verdict = { status: ValidationStatus; reason?: string }

/** Keeps our own verdict, unless another was recorded meanwhile. */
export async function keepVerdict(
  scope: Scope,
  contactId: string,
  { status, reason }: Verdict,
  now: Date,
): Promise<void> {
  await pool().query(
    `UPDATE contacts SET validation_status = $3, validation_reason = $4, validated_at = $5
      WHERE project_id = $1 AND id = $2 AND validated_at IS NULL`,
    [scope.project.id, contactId, status, reason ?? null, now],
  )
}

/** Records what the caller has found out, with an audit entry. False where there is no such contact. */
export async function recordVerdict(
  scope: Scope,
  contactId: string,
  { status, reason }: Verdict,
  now: Date,
): Promise<boolean> {
  return transaction(async (client) => {
    const { rows } = await client.query<{ validation_status: string }>(
      "SELECT validation_status FROM contacts WHERE project_id = $1 AND id = $2 FOR NO KEY UPDATE",
      [scope.project.id, contactId],
    )
    const [before] = rows
    if (!before) return false
    await client.query(
      `UPDATE contacts SET validation_status = $3, validation_reason = $4, validated_at = $5, updated_at = now()
        WHERE project_id = $1 AND id = $2`,
      [scope.project.id, contactId, status, reason ?? null, now],
    )
    const changes = { status: [before.validation_status, status], ...(reason ? { reason } : {}) }
    await addAudit(
      scope,
      { action: "contact.validation_recorded", target: encodeId("con", contactId), changes },
      client,
    )
    return true
  })
}
