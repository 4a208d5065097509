import type pg from "pg"
import { addAudit } from "@/lib/access/audit-store"
import type { LockedContact } from "@/lib/consent/locks-sql"
import { subscribeAgain, suppress } from "@/lib/consent/suppressions-sql"
import { encodeId } from "@/lib/platform/ids"
import type { Scope } from "@/lib/platform/http/scope"

/**
 * Sets the global state of a contact whose lock the transaction holds, with an audit entry if it changes. `true` suppresses
 * its address with `unsubscribe`, `false` removes that suppression and no other.
 */
export async function setUnsubscribed(
  client: pg.PoolClient,
  scope: Scope,
  contact: LockedContact,
  wanted: boolean,
): Promise<void> {
  const projectId = scope.project.id
  if (wanted) await suppress(projectId, { email: contact.email, reason: "unsubscribe", contactId: contact.id }, client)
  else await subscribeAgain(projectId, contact.email, client)
  if (contact.unsubscribed === wanted) return
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
