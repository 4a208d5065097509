import { removal } from "@/lib/platform/database/removal-sql"

/** Their files are swept, as those of any import or contact that is gone. */
export const contactRemoval = [
  removal("import_errors", "import_id, line"),
  removal("imports", "id"),
  removal("contact_activities", "contact_id, occurred_at"),
  removal("contacts", "id"),
  removal("engagement_work", "contact_id"),
]
