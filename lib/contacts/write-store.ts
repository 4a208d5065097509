import type pg from "pg"
import { lockAddresses, lockContact } from "@/lib/consent/locks-sql"
import type { Preference } from "@/lib/consent/rules"
import { setUnsubscribed } from "@/lib/contacts/consent-store"
import { joinSegments, type SegmentName } from "@/lib/contacts/membership-store"
import { explicitTopics, setPreferences } from "@/lib/contacts/preferences-store"
import { changeFields, insertContact, type ContactFields } from "@/lib/contacts/store"
import { transaction } from "@/lib/platform/database/db"
import type { Scope } from "@/lib/platform/http/scope"

export type ContactPlan = ContactFields & {
  /** Canonical form of the address. */
  email: string
  unsubscribed?: boolean
  segments: readonly SegmentName[]
  preferences: readonly Preference[]
}

/** Adds a contact with all that was said of it, or nothing; null when the address is taken. */
export async function addContact(scope: Scope, plan: ContactPlan): Promise<string | null> {
  return transaction(async (client) => {
    await lockAddresses(scope.project.id, [plan.email], client)
    return add(client, scope, plan)
  })
}

/**
 * Adds the contact, or lays what was said over the one with this address.
 * @throws requestInvalid when its properties together would be over their size
 */
export async function addOrChangeContact(scope: Scope, plan: ContactPlan): Promise<string> {
  return transaction(async (client) => {
    await lockAddresses(scope.project.id, [plan.email], client)
    // Between the two a contact can come and another go; a few rounds are more than that ever takes.
    for (let round = 0; round < 5; round++) {
      const added = await add(client, scope, plan)
      if (added) return added
      const known = await lockContact(scope.project.id, { email: plan.email }, client)
      if (!known) continue
      await changeFields(client, scope.project.id, known.id, plan, "merge")
      if (plan.unsubscribed !== undefined) await setUnsubscribed(client, scope, known, plan.unsubscribed)
      await settle(client, scope, known.id, plan)
      return known.id
    }
    throw new Error("The address was added and deleted again and again.")
  })
}

/** Changes what is given; its properties replace those there or are laid over them. False when there is no such contact. */
export async function changeContact(
  scope: Scope,
  id: string,
  change: ContactFields & { unsubscribed?: boolean },
  properties: "replace" | "merge",
): Promise<boolean> {
  return transaction(async (client) => {
    const contact = await lockContact(scope.project.id, { id }, client)
    if (!contact) return false
    await changeFields(client, scope.project.id, id, change, properties)
    if (change.unsubscribed !== undefined) await setUnsubscribed(client, scope, contact, change.unsubscribed)
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
    await setPreferences(client, scope.project.id, id, preferences)
    return true
  })
}

async function add(client: pg.PoolClient, scope: Scope, plan: ContactPlan): Promise<string | null> {
  const projectId = scope.project.id
  const added = await insertContact(client, projectId, plan)
  if (!added) return null
  if (plan.unsubscribed)
    await setUnsubscribed(client, scope, { id: added.id, email: plan.email, unsubscribed: false }, true)
  const left = new Set(plan.preferences.length ? await explicitTopics(client, projectId, added.id) : [])
  // What they left through a link before holds, whatever the request says; a change of the contact brings them back.
  const preferences = plan.preferences.filter(({ topicId }) => !left.has(topicId))
  await settle(client, scope, added.id, { ...plan, preferences })
  return added.id
}

async function settle(client: pg.PoolClient, scope: Scope, id: string, plan: ContactPlan) {
  await joinSegments(client, scope.project.id, id, plan.segments)
  await setPreferences(client, scope.project.id, id, plan.preferences)
}
