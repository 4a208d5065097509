import { removal } from "@/lib/platform/database/removal-sql"

export const streamRemoval = [removal("stream_tokens", "created_at")]
