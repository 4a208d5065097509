import { problem } from "@/lib/platform/http/problem"

export const sandboxMessageMissing = problem(
  "sandbox_message.not_found",
  404,
  "Sandbox message not found",
  "The project's sandbox mailbox has no message of this id. Messages are kept for 7 days, and 1,000 of a project.",
)
