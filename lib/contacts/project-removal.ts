import { removal } from "@/lib/platform/database/removal-sql"

/** Files are removed by the sweep for deleted imports and contacts. */
export const contactRemoval = [
  removal("import_errors", "import_id, line"),
  removal("imports", "id"),
  removal("contact_activities", "contact_id, occurred_at"),
  removal("contacts", "id"),
  removal("engagement_work", "contact_id"),
]
