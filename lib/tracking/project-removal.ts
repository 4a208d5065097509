import { removal } from "@/lib/platform/database/removal-sql"

export const trackingRemoval = [
  removal("tracking_hits", "email_id"),
  removal("email_engagements", "email_id"),
  removal("opening_hours", "email"),
]
