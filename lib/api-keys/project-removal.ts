import { removal } from "@/lib/platform/database/removal-sql"

export const keyRemoval = [
  removal("api_key_requests", "id", { partitioned: true }),
  removal("api_key_days", "key_id, day"),
  removal("api_key_hours", "key_id, hour"),
  removal("api_keys", "id"),
]
