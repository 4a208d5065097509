import { removal } from "@/lib/platform/database/removal-sql"

export const deliveryRemoval = [
  removal("delivery_attempts", "email_id", { partitioned: true }),
  removal("deliveries", "email_id"),
]
