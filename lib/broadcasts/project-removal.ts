import { removal } from "@/lib/platform/database/removal-sql"

/** A broadcast may hold mebibytes of attachments. */
export const broadcastRemoval = [removal("broadcasts", "id", { batch: 20 })]
