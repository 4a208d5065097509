import type { Verdict } from "@/lib/contacts/rules"
import type { ScopedDb } from "@/lib/platform/database/scoped-types"
import type { Scope } from "@/lib/platform/http/scope"

/**
 * Stores a verdict; the status before it, null where there is no such contact. Raw, because Prisma has no row locks and
 * cannot write the database's time.
 */
export async function writeVerdict(
  scope: Scope,
  contactId: string,
  { status, reason }: Verdict,
  now: Date,
  tx: ScopedDb,
): Promise<string | null> {
  const [row] = await tx.$queryRaw<{ before: string }[]>`
    UPDATE contacts c SET validation_status = ${status}, validation_reason = ${reason ?? null},
        validated_at = ${now}::timestamptz, updated_at = now()
      FROM (SELECT id, validation_status FROM contacts
        WHERE project_id = ${scope.project.id}::uuid AND id = ${contactId}::uuid FOR NO KEY UPDATE) earlier
      WHERE c.id = earlier.id RETURNING earlier.validation_status AS before`
  return row ? row.before : null
}
