import { storedSubscription, type Preference } from "@/lib/consent/rules"
import * as consent from "@/lib/consent/topics-sql"
import { addActivity } from "@/lib/contacts/write-sql"
import type { Connection } from "@/lib/platform/database/connection"
import { db, type InProject } from "@/lib/platform/database/scoped-db"
import type { ScopedDb } from "@/lib/platform/database/scoped-types"
import { topicState } from "@/lib/topics/rules"

/** A topic with the state of a contact in it. */
export type TopicState = Preference & {
  name: string
  description: string | null
  visibility: string
  explicit: boolean
}

/** Every topic of the project with the state of a contact, or of an address that is none; oldest topic first. */
export async function topicStates(
  scope: InProject,
  of: { contactId: string } | { email: string },
  on: ScopedDb = db(scope),
): Promise<TopicState[]> {
  const topics = await on.topic.findMany({
    where: { deletedAt: null },
    select: { id: true, name: true, description: true, visibility: true, defaultSubscription: true },
    orderBy: { id: "asc" },
  })
  const own = await ownStates(of, on)
  return topics.map(({ id, defaultSubscription, ...topic }) => {
    const explicit = own.get(id)
    return {
      ...topic,
      topicId: id,
      explicit: explicit !== undefined,
      subscription: topicState(explicit, storedSubscription(defaultSubscription)),
    }
  })
}

async function ownStates(of: { contactId: string } | { email: string }, on: ScopedDb) {
  if ("email" in of) {
    const left = await on.topicOptOut.findMany({ where: of, select: { topicId: true } })
    return new Map(left.map(({ topicId }) => [topicId, "opt_out" as const]))
  }
  const preferences = await on.topicPreference.findMany({ where: of, select: { topicId: true, subscription: true } })
  return new Map(preferences.map(({ topicId, subscription }) => [topicId, storedSubscription(subscription)]))
}

/**
 * Sets what a contact says about topics, and records what has changed. The transaction holds the lock of the contact.
 * Preferences of its own are replaced, or kept with `known: "keep"`.
 */
export async function setPreferences(
  projectId: string,
  contactId: string,
  preferences: readonly Preference[],
  { known = "replace", on }: { known?: "replace" | "keep"; on: Connection },
): Promise<void> {
  const changed = await consent.setPreferences(projectId, contactId, preferences, { known, on })
  const entries = changed.map(({ topicId, subscription, name }) => ({
    type: subscription === "opt_in" ? "topic_subscribed" : "topic_unsubscribed",
    referenceId: topicId,
    referenceName: name,
  }))
  await addActivity(projectId, contactId, entries, on)
}
