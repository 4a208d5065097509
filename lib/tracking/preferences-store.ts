import { addRecipientAudit } from "@/lib/access/audit-store"
import { setPreferences, topicStates, type Preference } from "@/lib/contacts/preferences-store"
import { insertContact, lockContact } from "@/lib/contacts/store"
import { pool, transaction, type Queryable } from "@/lib/platform/db"
import { encodeId } from "@/lib/platform/ids"
import type { LinkedMail } from "@/lib/tracking/brand-store"
import type { ShownTopic } from "@/lib/tracking/preferences-page"

/** What the recipient of a mail sees: public topics and the mail's own, and whether all mail is kept away. */
export async function readPreferences(mail: LinkedMail): Promise<{ topics: ShownTopic[]; unsubscribed: boolean }> {
  const { rows } = await pool().query<{ contact_id: string | null; unsubscribed: boolean }>(
    `SELECT (SELECT id FROM contacts WHERE project_id = $1 AND email = $2) AS contact_id,
        EXISTS (SELECT 1 FROM suppressions WHERE project_id = $1 AND email = $2 AND reason = 'unsubscribe') AS unsubscribed`,
    [mail.projectId, mail.email],
  )
  const [row] = rows
  const states = await shownStates(mail, row?.contact_id ?? null)
  return {
    topics: states.map((state) => ({ ...state, subscribed: state.subscription === "opt_in" })),
    unsubscribed: row?.unsubscribed ?? false,
  }
}

/**
 * Keeps what the recipient chose among the topics that the page showed. Only what differs becomes a preference of their
 * own; who was no contact yet becomes one, since there is nobody else to remember it for.
 */
export async function savePreferences(mail: LinkedMail, shown: ReadonlySet<string>, wanted: ReadonlySet<string>): Promise<void> {
  await transaction(async (client) => {
    const contactId = await contactOf(client, mail)
    const states = await shownStates(mail, contactId, client)
    const changed = states.flatMap(({ topicId, subscription }): Preference[] => {
      const chosen = wanted.has(topicId) ? "opt_in" : "opt_out"
      return shown.has(topicId) && chosen !== subscription ? [{ topicId, subscription: chosen }] : []
    })
    await setPreferences(client, mail.projectId, contactId, changed)
  })
}

/** Lets mail through again to a recipient who had unsubscribed from all; other suppressions stay. */
export async function subscribeAgain(mail: LinkedMail, ip: string): Promise<void> {
  await transaction(async (client) => {
    await lockContact(client, mail.projectId, { email: mail.email })
    const { rowCount } = await client.query("DELETE FROM suppressions WHERE project_id = $1 AND email = $2 AND reason = 'unsubscribe'", [
      mail.projectId,
      mail.email,
    ])
    if (!rowCount) return
    const at = { organizationId: mail.organizationId, projectId: mail.projectId, ip }
    await addRecipientAudit(at, { action: "suppressions.remove", target: mail.email, changes: { reason: "unsubscribe" } }, client)
  })
}

/** The contact of the recipient, locked; made if there is none. */
export async function contactOf(client: Queryable, mail: Pick<LinkedMail, "projectId" | "email">): Promise<string> {
  const by = { email: mail.email }
  const known = await lockContact(client, mail.projectId, by)
  const contact = known ?? (await insertContact(client, mail.projectId, by)) ?? (await lockContact(client, mail.projectId, by))
  if (!contact) throw new Error(`The contact of ${encodeId("proj", mail.projectId)} came and went.`)
  return contact.id
}

async function shownStates(mail: LinkedMail, contactId: string | null, on?: Queryable) {
  const states = await topicStates(mail.projectId, contactId, on)
  return states.filter(({ topicId, visibility }) => visibility === "public" || topicId === mail.topic?.id)
}
