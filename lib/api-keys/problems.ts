import { problem } from "@/lib/platform/http/problem"

export const keyMissing = problem(
  "api_key.not_found",
  404,
  "API key not found",
  "This project has no such key. A key's id begins with `key_`; it is not the key itself.",
)

export const alreadyRotated = problem(
  "api_key.already_rotated",
  409,
  "API key already rotated",
  "A key that replaces this one still works. Rotate that key instead, or revoke it first.",
)

export const usageTooLarge = problem(
  "api_key.usage_too_large",
  413,
  "Too much usage to export",
  "The window has more than 1,000,000 requests. Export shorter windows with `after` and `before`.",
)
