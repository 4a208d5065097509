import { addAudit } from "@/lib/access/audit-store"
import { lockAddresses, lockContact, type LockedContact } from "@/lib/consent/locks-sql"
import type { Preference } from "@/lib/consent/rules"
import { subscribeAgain, suppress } from "@/lib/consent/suppressions-sql"
import { preserveOptOuts } from "@/lib/consent/topics-store"
import { joinSegments } from "@/lib/contacts/membership-store"
import { setPreferences } from "@/lib/contacts/preferences-store"
import { emailOf } from "@/lib/contacts/store"
import { changeFields, insertContact, type GivenFields } from "@/lib/contacts/write-sql"
import { transaction, type Queryable } from "@/lib/platform/database/db"
import { db } from "@/lib/platform/database/scoped-db"
import { encodeId } from "@/lib/platform/ids"
import type { Scope } from "@/lib/platform/http/scope"
import type { SegmentName } from "@/lib/segments/data"

export type ContactPlan = GivenFields & {
  /** Canonical form of the address. */
  email: string
  unsubscribed?: boolean
  segments: readonly SegmentName[]
  preferences: readonly Preference[]
}

/** Adds a contact with everything given, or nothing; null if the address is in use. */
export async function addContact(scope: Scope, plan: ContactPlan): Promise<string | null> {
  return transaction(async (client) => {
    await lockAddresses(scope.project.id, [plan.email], client)
    return add(scope, plan, client)
  })
}

/**
 * Adds the contact, or changes the one with this address.
 * @throws requestInvalid when its properties together would be over their size
 */
export async function addOrChangeContact(scope: Scope, plan: ContactPlan): Promise<string> {
  return transaction(async (client) => {
    await lockAddresses(scope.project.id, [plan.email], client)
    // Between the two, the contact can be added or deleted; that this happens five times is not to be expected.
    for (let round = 0; round < 5; round++) {
      const added = await add(scope, plan, client)
      if (added) return added
      const known = await lockContact(scope.project.id, { email: plan.email }, client)
      if (!known) continue
      await changeFields(scope.project.id, known.id, plan, "merge", client)
      if (plan.unsubscribed !== undefined) await setUnsubscribed(scope, known, plan.unsubscribed, client)
      await joinSegments(scope.project.id, known.id, plan.segments, client)
      await setPreferences(scope.project.id, known.id, plan.preferences, { on: client })
      return known.id
    }
    throw new Error("The address was added and deleted again and again.")
  })
}

/** Changes what is given; properties replace the stored ones or are merged with them. False when there is no such contact. */
export async function changeContact(
  scope: Scope,
  id: string,
  change: GivenFields & { unsubscribed?: boolean },
  properties: "replace" | "merge",
): Promise<boolean> {
  return transaction(async (client) => {
    const contact = await lockContact(scope.project.id, { id }, client)
    if (!contact) return false
    await changeFields(scope.project.id, id, change, properties, client)
    if (change.unsubscribed !== undefined) await setUnsubscribed(scope, contact, change.unsubscribed, client)
    return true
  })
}

/** Sets preferences for topics that exist. False when there is no such contact. */
export async function changePreferences(
  scope: Scope,
  id: string,
  preferences: readonly Preference[],
): Promise<boolean> {
  return transaction(async (client) => {
    if (!(await lockContact(scope.project.id, { id }, client))) return false
    await setPreferences(scope.project.id, id, preferences, { on: client })
    return true
  })
}

/**
 * Deletes a contact with its memberships, preferences and activity; its address remains suppressed, and out of the topics
 * it left. False where there is none.
 */
export async function deleteContact(scope: Scope, id: string): Promise<boolean> {
  const email = await emailOf(scope, id)
  if (email === null) return false
  return db(scope).$transaction(async (tx) => {
    await lockAddresses(scope.project.id, [email], tx)
    await lockContact(scope.project.id, { id }, tx)
    await preserveOptOuts({ id, email }, tx)
    const { count } = await tx.contact.deleteMany({ where: { id } })
    if (!count) return false
    const suppression = await tx.suppression.findFirst({ where: { email }, select: { reason: true } })
    const changes = { email, ...(suppression && { suppressionKept: suppression.reason }) }
    await addAudit(scope, { action: "contact.deleted", target: encodeId("con", id), changes }, tx)
    return true
  })
}

async function add(scope: Scope, plan: ContactPlan, client: Queryable): Promise<string | null> {
  const added = await insertContact(scope.project.id, plan, client)
  if (!added) return null
  if (plan.unsubscribed)
    await setUnsubscribed(scope, { id: added.id, email: plan.email, unsubscribed: false }, true, client)
  await joinSegments(scope.project.id, added.id, plan.segments, client)
  // Topics left through a link earlier remain left, whatever the request says; a change of the contact can rejoin them.
  await setPreferences(scope.project.id, added.id, plan.preferences, { known: "keep", on: client })
  return added.id
}

/**
 * Sets the global state of a contact whose lock the transaction holds, with an audit entry if it changes. `true` suppresses
 * its address with `unsubscribe`, `false` removes that suppression and no other.
 */
async function setUnsubscribed(
  scope: Scope,
  contact: LockedContact,
  wanted: boolean,
  client: Queryable,
): Promise<void> {
  const { id, email, unsubscribed } = contact
  if (wanted) await suppress(scope.project.id, { email, reason: "unsubscribe", contactId: id }, client)
  else await subscribeAgain(scope.project.id, email, client)
  if (unsubscribed === wanted) return
  const action = wanted ? "contact.unsubscribed" : "contact.resubscribed"
  const changes = { email, unsubscribed: [unsubscribed, wanted] }
  await addAudit(scope, { action, target: encodeId("con", id), changes }, client)
}
