import { removal } from "@/lib/platform/database/removal-sql"

export const sandboxRemoval = [removal("sandbox_messages", "id", { batch: 50 })]
