import { problem } from "@/lib/platform/http/problem"

export const suppressionMissing = problem(
  "suppression.not_found",
  404,
  "Suppression not found",
  "This address is not on the project's suppression list. URL-encode the address in the path, as in `ada%40example.com`.",
)
