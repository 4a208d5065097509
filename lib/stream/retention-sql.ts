import { deletion } from "@/lib/platform/database/retention-sql"

/** Retention of tokens that no open stream uses. Raw, as every deletion in batches. */
export const streamRetention = [
  deletion(
    "stream tokens",
    "stream_tokens WHERE expires_at < now() - interval '1 day' AND (seen_at IS NULL OR seen_at < now() - interval '1 hour')",
  ),
]
