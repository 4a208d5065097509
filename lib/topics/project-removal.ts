import { removal } from "@/lib/platform/database/removal-sql"

export const topicRemoval = [removal("topics", "id")]
