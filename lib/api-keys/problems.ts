import { problem } from "@/lib/platform/http/problem"

export const keyMissing = problem(
  "api_key.not_found",
  404,
  "API key not found",
  "This project has no such key. A key's id begins with `key_`; it is not the key itself.",
)
