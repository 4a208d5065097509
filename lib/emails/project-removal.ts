import { removal } from "@/lib/platform/database/removal-sql"

/** Bodies may have mebibytes each, and contents do. */
export const emailRemoval = [
  // The queue goes first: what is in it no longer gets into a group.
  removal("email_search_queue", "email_id"),
  removal("email_search_groups", "first_id", { batch: 50 }),
  removal("tracked_emails", "email_id"),
  removal("email_bodies", "email_id", { batch: 100 }),
  removal("email_contents", "id", { batch: 10 }),
  removal("emails", "id"),
]

/** After contacts, domains and suppressions, whose removal may write events. */
export const eventRemoval = [removal("events", "email_id", { partitioned: true })]
