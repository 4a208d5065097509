import { problem } from "@/lib/platform/http/problem"

export const segmentMissing = problem(
  "segment.not_found",
  404,
  "Segment not found",
  "This project has no such segment.",
)
export const segmentTaken = problem(
  "segment.already_exists",
  409,
  "Segment already exists",
  "Another segment of the project has this name. Choose another name, or update that segment.",
)
