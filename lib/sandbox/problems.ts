import { problem } from "@/lib/platform/http/problem"

export const sandboxMessageMissing = problem(
  "sandbox_message.not_found",
  404,
  "Sandbox message not found",
  "The project's sandbox mailbox has no such message. Messages are kept for 7 days, at most 1,000 per project.",
)
