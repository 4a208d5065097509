import { problem } from "@/lib/platform/http/problem"

export const broadcastMissing = problem(
  "broadcast.not_found",
  404,
  "Broadcast not found",
  "The project has no broadcast of this id.",
)
export const statusConflict = problem(
  "broadcast.status_conflict",
  409,
  "Not possible in this status",
  "The status of the broadcast does not allow this. Drafts and scheduled broadcasts can be changed and sent, drafts deleted, broadcasts under way paused, paused ones resumed, and all that have not ended cancelled.",
)
