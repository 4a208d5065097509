import type pg from "pg"
import { addAudit } from "@/lib/access/audit-store"
import { encodeId } from "@/lib/platform/ids"
import type { Scope } from "@/lib/platform/http/scope"
import { addSuppression } from "@/lib/suppressions/store"

type LockedContact = { id: string; email: string; unsubscribed: boolean }

/**
 * Sets the global state of a contact whose lock the transaction holds. `true` suppresses its address with
 * `unsubscribe`, `false` takes that suppression away and no other. The audit log keeps who did it.
 */
export async function setUnsubscribed(
  client: pg.PoolClient,
  scope: Scope,
  contact: LockedContact,
  wanted: boolean,
): Promise<void> {
  const projectId = scope.project.id
  if (wanted) {
    await addSuppression(projectId, { email: contact.email, reason: "unsubscribe", contactId: contact.id }, client)
  } else {
    await client.query("DELETE FROM suppressions WHERE project_id = $1 AND email = $2 AND reason = 'unsubscribe'", [
      projectId,
      contact.email,
    ])
  }
  if (contact.unsubscribed === wanted) return
  await client.query(
    "UPDATE contacts SET unsubscribed = $3, updated_at = now() WHERE project_id = $1 AND id = $2 AND unsubscribed <> $3",
    [projectId, contact.id, wanted],
  )
  await addAudit(
    scope,
    {
      action: wanted ? "contact.unsubscribed" : "contact.resubscribed",
      target: encodeId("con", contact.id),
      changes: { email: contact.email, unsubscribed: [contact.unsubscribed, wanted] },
    },
    client,
  )
}
