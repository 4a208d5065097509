import { agedDeletion, deletion } from "@/lib/platform/database/retention-sql"
import { env } from "@/lib/platform/env/env"

const importErrorDays = 90

/** Retention of the history of contacts. Raw, as every deletion in batches. */
export const contactRetention = [
  // An import id contains its time.
  deletion(
    "import errors",
    "import_errors WHERE import_id < first_id_at(now() - make_interval(days => $2)) ORDER BY import_id",
    [() => importErrorDays],
  ),
  agedDeletion("contact activities", "contact_activities", "occurred_at", () => env().keepDays.events),
]
