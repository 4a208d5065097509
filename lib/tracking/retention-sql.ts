import { agedDeletion, deletion } from "@/lib/platform/database/retention-sql"
import { env } from "@/lib/platform/env/env"

const eventsDays = () => env().keepDays.events

/** Retention of what tracking stores. Requests are needed for minutes; what is known of an email goes with its events. */
export const trackingRetention = [
  deletion(
    "opens and clicks",
    "tracking_hits WHERE at < now() - interval '1 hour' AND (due_at IS NULL OR at < now() - interval '1 day') ORDER BY at",
  ),
  deletion(
    "email engagements",
    "email_engagements WHERE email_id < first_id_at(now() - make_interval(days => $2)) ORDER BY email_id",
    [eventsDays],
  ),
  agedDeletion("opening hours", "opening_hours", "updated_at", eventsDays),
]
