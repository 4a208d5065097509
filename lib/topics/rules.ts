import type { Subscription } from "@/lib/consent/rules"

/** Why a delivery is suppressed whose recipient is out of the topic of its mail. */
export const topicOptOut = "topic_opt_out"

/** The same of a delivery whose topic was deleted before it was sent. */
export const topicDeleted = "topic_deleted"

export const visibilities = ["public", "private"] as const

/** The state of a contact in a topic: its own preference, else the default of the topic. `topic_state` in SQL. */
export function topicState(explicit: Subscription | null | undefined, byDefault: Subscription): Subscription {
  return explicit ?? byDefault
}

/** What is known of an address in a topic; `explicit` is the preference of its contact. */
export type TopicFacts = { contact: { explicit: Subscription | null } | null; leftByLink: boolean }

/**
 * Whether mail of the topic is withheld from an address. Without a contact it has no state and gets the mail, unless it
 * has left through a link. `left_topic` in SQL, which withholds the mail of a deleted topic from everybody.
 */
export function leftTopic({ contact, leftByLink }: TopicFacts, byDefault: Subscription): boolean {
  return contact ? topicState(contact.explicit, byDefault) === "opt_out" : leftByLink
}
