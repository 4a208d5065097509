import { problem } from "@/lib/platform/http/problem"

export const suppressionMissing = problem(
  "suppression.not_found",
  404,
  "Suppression not found",
  "The project's suppression list does not hold this address. The path takes it URL-encoded, as in `ada%40example.com`.",
)
