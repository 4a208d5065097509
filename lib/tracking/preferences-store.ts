import { addRecipientAudit } from "@/lib/access/audit-store"
import { lockAddresses, lockContact } from "@/lib/consent/locks-sql"
import { storedReason, type Preference } from "@/lib/consent/rules"
import { subscribeAgain } from "@/lib/consent/suppressions-sql"
import { optOut } from "@/lib/consent/topics-store"
import { setPreferences, topicStates, type TopicState } from "@/lib/contacts/preferences-store"
import { insertContact } from "@/lib/contacts/write-sql"
import { db } from "@/lib/platform/database/scoped-db"
import type { ScopedDb } from "@/lib/platform/database/scoped-types"
import { encodeId } from "@/lib/platform/ids"
import type { LinkedMail } from "@/lib/tracking/brand-store"
import type { Preferences } from "@/lib/tracking/preferences-page"

/**
 * What the recipient of a mail sees: public topics and the mail's own, whether they have unsubscribed from all, and what
 * else keeps mail away. An unsubscribe may be behind a complaint on the list: then only the contact shows it.
 */
export async function readPreferences(mail: LinkedMail): Promise<Preferences> {
  const { email } = mail
  const [contact, suppression] = await Promise.all([
    inProject(mail).contact.findFirst({ where: { email }, select: { id: true, unsubscribed: true } }),
    inProject(mail).suppression.findFirst({ where: { email }, select: { reason: true } }),
  ])
  const reason = suppression && storedReason(suppression.reason)
  const states = await shownStates(mail, contact && contact.id)
  // A plain address gets the topic whose mail it has, until it leaves: the topic's default is for contacts.
  const getsAnyway = (state: TopicState) => !contact && !state.explicit && state.topicId === mail.topic?.id
  return {
    topics: states.map((state) => ({ ...state, subscribed: state.subscription === "opt_in" || getsAnyway(state) })),
    unsubscribed: contact?.unsubscribed === true || reason === "unsubscribe",
    otherReason: reason === "unsubscribe" ? null : reason,
  }
}

/**
 * Stores what the recipient chose among the topics that the page showed. Only what differs becomes a preference; an address
 * that is no contact becomes one, because preferences belong to contacts.
 */
export async function savePreferences(
  mail: LinkedMail,
  shown: ReadonlySet<string>,
  wanted: ReadonlySet<string>,
): Promise<void> {
  await inProject(mail).$transaction(async (tx) => {
    await lockAddresses(mail.projectId, [mail.email], tx)
    const contactId = await contactOf(tx, mail)
    const states = await shownStates(mail, contactId, tx)
    const changed = states.flatMap(({ topicId, subscription }): Preference[] => {
      const chosen = wanted.has(topicId) ? "opt_in" : "opt_out"
      return shown.has(topicId) && chosen !== subscription ? [{ topicId, subscription: chosen }] : []
    })
    await setPreferences(mail.projectId, contactId, changed, { on: tx })
  })
}

/** Undoes that a recipient has unsubscribed from all; any other suppression remains and keeps mail away as before. */
export async function resubscribe(mail: LinkedMail, ip: string): Promise<void> {
  await inProject(mail).$transaction(async (tx) => {
    await lockAddresses(mail.projectId, [mail.email], tx)
    const contact = await lockContact(mail.projectId, { email: mail.email }, tx)
    const removed = await subscribeAgain(mail.projectId, mail.email, tx)
    if (!removed && !contact?.unsubscribed) return
    const at = { organizationId: mail.organizationId, projectId: mail.projectId, ip }
    const entry = removed
      ? { action: "suppressions.remove", target: mail.email, changes: { reason: "unsubscribe" } }
      : {
          action: "contact.resubscribed",
          target: encodeId("con", contact?.id ?? ""),
          changes: { email: mail.email, unsubscribed: [true, false] },
        }
    await addRecipientAudit(at, entry, tx)
  })
}

/** Takes an address out of a topic: its contact, or itself where it is none. The transaction holds its lock. */
export async function leaveTopic(
  tx: ScopedDb,
  given: { projectId: string; email: string; topicId: string },
): Promise<void> {
  const contact = await lockContact(given.projectId, { email: given.email }, tx)
  if (!contact) return optOut(given.topicId, given.email, tx)
  await setPreferences(given.projectId, contact.id, [{ topicId: given.topicId, subscription: "opt_out" }], { on: tx })
}

/** The contact of the recipient, locked; made if there is none. */
export async function contactOf(tx: ScopedDb, mail: Pick<LinkedMail, "projectId" | "email">): Promise<string> {
  const by = { email: mail.email }
  const known = await lockContact(mail.projectId, by, tx)
  const contact = known ?? (await insertContact(mail.projectId, by, tx)) ?? (await lockContact(mail.projectId, by, tx))
  if (!contact) throw new Error(`The contact of ${encodeId("proj", mail.projectId)} was added and deleted at once.`)
  return contact.id
}

function inProject({ projectId }: LinkedMail): ScopedDb {
  return db({ project: { id: projectId } })
}

async function shownStates(mail: LinkedMail, contactId: string | null, on?: ScopedDb) {
  const scope = { project: { id: mail.projectId } }
  const states = await topicStates(scope, contactId ? { contactId } : { email: mail.email }, on)
  return states.filter(({ topicId, visibility }) => visibility === "public" || topicId === mail.topic?.id)
}
