import { removal } from "@/lib/platform/database/removal-sql"

/** Before contacts. */
export const preferenceRemoval = [
  removal("topic_preferences", "topic_id, contact_id"),
  removal("topic_opt_outs", "email, topic_id"),
]

/** After contacts, which a removed suppression would otherwise change. */
export const suppressionRemoval = [removal("suppressions", "id")]
