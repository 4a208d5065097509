import { removal } from "@/lib/platform/database/removal-sql"

export const segmentRemoval = [removal("segment_members", "segment_id, contact_id"), removal("segments", "id")]

/** Last, because the removal of contacts and preferences adds to it. */
export const segmentWorkRemoval = [removal("segment_work", "contact_id")]
