import { problem } from "@/lib/platform/http/problem"

export const streamTokenInvalid = problem(
  "stream.token_invalid",
  401,
  "Stream token invalid",
  "The token is unknown, used or older than 60 seconds. Issue a new one for every connection.",
)
