import { addAudit } from "@/lib/access/audit-store"
import { removeSuppression, suppress } from "@/lib/consent/suppressions-sql"
import { transaction } from "@/lib/platform/database/db"
import type { Scope } from "@/lib/platform/http/scope"

/** Suppresses an address because the caller asks for it; an address that is on the list is left as it is. */
export async function addManually(scope: Scope, email: string): Promise<void> {
  await transaction(async (client) => {
    const added = await suppress(scope.project.id, { email, reason: "manual" }, client)
    if (added)
      await addAudit(scope, { action: "suppressions.add", target: email, changes: { reason: "manual" } }, client)
  })
}

/** Takes an address off the list, with an audit entry; false if it is not on it. */
export async function remove(scope: Scope, email: string): Promise<boolean> {
  return transaction(async (client) => {
    const removed = await removeSuppression(scope.project.id, email, client)
    if (!removed) return false
    const { reason, resubscribed } = removed
    const changes = { reason, ...(resubscribed ? { unsubscribed: [true, false] } : {}) }
    await addAudit(scope, { action: "suppressions.remove", target: email, changes }, client)
    return true
  })
}
