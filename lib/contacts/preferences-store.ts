import { pool, type Queryable } from "@/lib/platform/database/db"
import { addActivity } from "@/lib/contacts/activity-store"
import type { Preference, Subscription } from "@/lib/consent/rules"
import * as consent from "@/lib/consent/topics-sql"
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
  projectId: string,
  of: { contactId: string } | { email: string },
  on: Queryable = pool(),
): Promise<TopicState[]> {
  type Row = {
    id: string
    name: string
    description: string | null
    visibility: string
    default_subscription: Subscription
    subscription: Subscription | null
  }
  const { rows } = await on.query<Row>(
    `SELECT t.id, t.name, t.description, t.visibility, t.default_subscription,
        coalesce(p.subscription, CASE WHEN o.topic_id IS NOT NULL THEN 'opt_out' END) AS subscription FROM topics t
      LEFT JOIN topic_preferences p ON p.project_id = t.project_id AND p.topic_id = t.id AND p.contact_id = $2
      LEFT JOIN topic_opt_outs o ON o.project_id = t.project_id AND o.topic_id = t.id AND o.email = $3
      WHERE t.project_id = $1 AND t.deleted_at IS NULL ORDER BY t.id`,
    [projectId, "contactId" in of ? of.contactId : null, "email" in of ? of.email : null],
  )
  return rows.map((row) => ({
    topicId: row.id,
    name: row.name,
    description: row.description,
    visibility: row.visibility,
    explicit: row.subscription !== null,
    subscription: topicState(row.subscription, row.default_subscription),
  }))
}

/** The topics of which a contact has a preference of its own. */
export async function explicitTopics(on: Queryable, projectId: string, contactId: string): Promise<string[]> {
  const { rows } = await on.query<{ topic_id: string }>(
    "SELECT topic_id FROM topic_preferences WHERE project_id = $1 AND contact_id = $2",
    [projectId, contactId],
  )
  return rows.map(({ topic_id }) => topic_id)
}

/** Sets what a contact says about topics, and records what has changed. The transaction holds the lock of the contact. */
export async function setPreferences(
  on: Queryable,
  projectId: string,
  contactId: string,
  preferences: readonly Preference[],
): Promise<void> {
  for (const { topicId, subscription, name } of await consent.setPreferences(projectId, contactId, preferences, on)) {
    const type = subscription === "opt_in" ? "topic_subscribed" : "topic_unsubscribed"
    await addActivity(on, projectId, contactId, { type, referenceId: topicId, referenceName: name })
  }
}
