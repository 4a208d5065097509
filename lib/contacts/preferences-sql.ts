import { type Preference, type Subscription } from "@/lib/consent/rules"
import * as consent from "@/lib/consent/topics-sql"
import { addActivity } from "@/lib/contacts/write-sql"
import { rowsOf, type Connection } from "@/lib/platform/database/connection"
import { pool } from "@/lib/platform/database/db"
import { topicState } from "@/lib/topics/rules"
import { Prisma } from "@/prisma/generated/client"

/** A topic with the state of a contact in it. */
export type TopicState = Preference & {
  name: string
  description: string | null
  visibility: string
  explicit: boolean
}

/**
 * Every topic of the project with the state of a contact, or of an address that is none; oldest topic first. Raw, because
 * transactions on `pg` read it too.
 */
export async function topicStates(
  projectId: string,
  of: { contactId: string } | { email: string },
  on: Connection = pool(),
): Promise<TopicState[]> {
  type Row = Omit<TopicState, "explicit" | "subscription"> & { byDefault: Subscription; own: Subscription | null }
  const rows = await rowsOf<Row>(
    on,
    Prisma.sql`SELECT t.id AS "topicId", t.name, t.description, t.visibility, t.default_subscription AS "byDefault",
        coalesce(p.subscription, CASE WHEN o.topic_id IS NOT NULL THEN 'opt_out' END) AS own FROM topics t
      LEFT JOIN topic_preferences p ON p.project_id = t.project_id AND p.topic_id = t.id
        AND p.contact_id = ${"contactId" in of ? of.contactId : null}::uuid
      LEFT JOIN topic_opt_outs o ON o.project_id = t.project_id AND o.topic_id = t.id
        AND o.email = ${"email" in of ? of.email : null}::text
      WHERE t.project_id = ${projectId}::uuid AND t.deleted_at IS NULL ORDER BY t.id`,
  )
  return rows.map(({ byDefault, own, ...topic }) => ({
    ...topic,
    explicit: own !== null,
    subscription: topicState(own, byDefault),
  }))
}

/** The topics of which a contact has a preference of its own. Raw, because the transaction is on `pg`. */
export async function explicitTopics(projectId: string, contactId: string, on: Connection): Promise<string[]> {
  const rows = await rowsOf<{ id: string }>(
    on,
    Prisma.sql`SELECT topic_id AS id FROM topic_preferences
      WHERE project_id = ${projectId}::uuid AND contact_id = ${contactId}::uuid`,
  )
  return rows.map(({ id }) => id)
}

/** Sets what a contact says about topics, and records what has changed. The transaction holds the lock of the contact. */
export async function setPreferences(
  projectId: string,
  contactId: string,
  preferences: readonly Preference[],
  on: Connection,
): Promise<void> {
  const changed = await consent.setPreferences(projectId, contactId, preferences, on)
  const entries = changed.map(({ topicId, subscription, name }) => ({
    type: subscription === "opt_in" ? "topic_subscribed" : "topic_unsubscribed",
    referenceId: topicId,
    referenceName: name,
  }))
  await addActivity(projectId, contactId, entries, on)
}
