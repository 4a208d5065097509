import { removal } from "@/lib/platform/database/removal-sql"

/** Hours of a webhook are few and go with it. */
export const webhookRemoval = [
  removal("webhook_shapings", "id"),
  removal("webhook_deliveries", "webhook_id, id"),
  removal("webhooks", "id", { batch: 5 }),
]
