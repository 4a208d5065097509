import { problem } from "@/lib/platform/http/problem"

export const bimiLogoMissing = problem(
  "domain.bimi_logo_not_found",
  404,
  "BIMI logo not found",
  "The domain has no BIMI logo. Set one with `PATCH …/bimi`.",
)
