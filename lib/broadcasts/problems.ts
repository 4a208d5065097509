import { problem } from "@/lib/platform/http/problem"

export const broadcastMissing = problem(
  "broadcast.not_found",
  404,
  "Broadcast not found",
  "This project has no such broadcast.",
)
export const statusConflict = problem(
  "broadcast.status_conflict",
  409,
  "Not possible in this status",
  "The status of the broadcast does not allow this. You can change or send drafts and scheduled broadcasts, delete drafts, pause broadcasts that are being sent, resume paused ones, and cancel any broadcast that has not ended.",
)
