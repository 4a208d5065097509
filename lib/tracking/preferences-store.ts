import { addRecipientAudit } from "@/lib/access/audit-store"
import { setPreferences, topicStates, type Preference, type TopicState } from "@/lib/contacts/preferences-store"
import { insertContact, lockContact } from "@/lib/contacts/store"
import { pool, transaction, type Queryable } from "@/lib/platform/database/db"
import { encodeId } from "@/lib/platform/ids"
import { lockAddresses } from "@/lib/suppressions/contact-store"
import type { SuppressionReason } from "@/lib/suppressions/rules"
import type { LinkedMail } from "@/lib/tracking/brand-store"
import type { Preferences } from "@/lib/tracking/preferences-page"

/**
 * What the recipient of a mail sees: public topics and the mail's own, whether they have unsubscribed from all, and what
 * else keeps mail away. An unsubscribe may be behind a complaint on the list: then the contact alone tells of it.
 */
export async function readPreferences(mail: LinkedMail): Promise<Preferences> {
  const { rows } = await pool().query<{
    contact_id: string | null
    unsubscribed: boolean | null
    reason: SuppressionReason | null
  }>(
    `SELECT c.id AS contact_id, c.unsubscribed, s.reason FROM (SELECT $1::uuid AS project_id, $2::text AS email) r
      LEFT JOIN contacts c ON c.project_id = r.project_id AND c.email = r.email
      LEFT JOIN suppressions s ON s.project_id = r.project_id AND s.email = r.email`,
    [mail.projectId, mail.email],
  )
  const { contact_id = null, unsubscribed = false, reason = null } = rows[0] ?? {}
  const states = await shownStates(mail, contact_id)
  // A plain address gets the topic whose mail it has, until it leaves: the topic's default is for contacts.
  const getsAnyway = (state: TopicState) => contact_id === null && !state.explicit && state.topicId === mail.topic?.id
  return {
    topics: states.map((state) => ({ ...state, subscribed: state.subscription === "opt_in" || getsAnyway(state) })),
    unsubscribed: unsubscribed === true || reason === "unsubscribe",
    kept: reason === "unsubscribe" ? null : reason,
  }
}

/**
 * Keeps what the recipient chose among the topics that the page showed. Only what differs becomes a preference of their
 * own; who was no contact yet becomes one, since there is nobody else to remember it for.
 */
export async function savePreferences(
  mail: LinkedMail,
  shown: ReadonlySet<string>,
  wanted: ReadonlySet<string>,
): Promise<void> {
  await transaction(async (client) => {
    await lockAddresses(client, mail.projectId, [mail.email])
    const contactId = await contactOf(client, mail)
    const states = await shownStates(mail, contactId, client)
    const changed = states.flatMap(({ topicId, subscription }): Preference[] => {
      const chosen = wanted.has(topicId) ? "opt_in" : "opt_out"
      return shown.has(topicId) && chosen !== subscription ? [{ topicId, subscription: chosen }] : []
    })
    await setPreferences(client, mail.projectId, contactId, changed)
  })
}

/** Takes back that a recipient has unsubscribed from all; other suppressions stay, and keep mail away as before. */
export async function subscribeAgain(mail: LinkedMail, ip: string): Promise<void> {
  await transaction(async (client) => {
    await lockAddresses(client, mail.projectId, [mail.email])
    const contact = await lockContact(client, mail.projectId, { email: mail.email })
    const { rowCount } = await client.query(
      "DELETE FROM suppressions WHERE project_id = $1 AND email = $2 AND reason = 'unsubscribe'",
      [mail.projectId, mail.email],
    )
    if (!rowCount && !contact?.unsubscribed) return
    // Behind another reason there was no suppression of its own whose end would clear it.
    await client.query(
      "UPDATE contacts SET unsubscribed = false, updated_at = now() WHERE project_id = $1 AND email = $2 AND unsubscribed",
      [mail.projectId, mail.email],
    )
    const at = { organizationId: mail.organizationId, projectId: mail.projectId, ip }
    const entry = rowCount
      ? { action: "suppressions.remove", target: mail.email, changes: { reason: "unsubscribe" } }
      : {
          action: "contact.resubscribed",
          target: encodeId("con", contact?.id ?? ""),
          changes: { email: mail.email, unsubscribed: [true, false] },
        }
    await addRecipientAudit(at, entry, client)
  })
}

/** Takes an address out of a topic: its contact, or itself where it is none. The transaction holds its lock. */
export async function leaveTopic(
  client: Queryable,
  given: { projectId: string; email: string; topicId: string },
): Promise<void> {
  const contact = await lockContact(client, given.projectId, { email: given.email })
  if (contact)
    return setPreferences(client, given.projectId, contact.id, [{ topicId: given.topicId, subscription: "opt_out" }])
  await client.query(
    "INSERT INTO topic_opt_outs (project_id, topic_id, email) VALUES ($1, $2, $3) ON CONFLICT DO NOTHING",
    [given.projectId, given.topicId, given.email],
  )
}

/** The contact of the recipient, locked; made if there is none. */
export async function contactOf(client: Queryable, mail: Pick<LinkedMail, "projectId" | "email">): Promise<string> {
  const by = { email: mail.email }
  const known = await lockContact(client, mail.projectId, by)
  const contact =
    known ?? (await insertContact(client, mail.projectId, by)) ?? (await lockContact(client, mail.projectId, by))
  if (!contact) throw new Error(`The contact of ${encodeId("proj", mail.projectId)} came and went.`)
  return contact.id
}

async function shownStates(mail: LinkedMail, contactId: string | null, on?: Queryable) {
  const states = await topicStates(mail.projectId, contactId ? { contactId } : { email: mail.email }, on)
  return states.filter(({ topicId, visibility }) => visibility === "public" || topicId === mail.topic?.id)
}
