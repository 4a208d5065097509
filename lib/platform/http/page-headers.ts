import { env } from "@/lib/platform/env/env"

/** What every page says; an answer outside the API that nothing else has dressed says it too. */
export function pageHeaders(): Record<string, string> {
  return env().baseUrl.startsWith("https:")
    ? { ...always, "Strict-Transport-Security": "max-age=31536000; includeSubDomains" }
    : always
}

const always = {
  "X-Content-Type-Options": "nosniff",
  "X-Frame-Options": "DENY",
  "Referrer-Policy": "no-referrer",
  "Cross-Origin-Opener-Policy": "same-origin",
  "Cross-Origin-Resource-Policy": "same-origin",
  "Permissions-Policy": "camera=(), microphone=(), geolocation=(), payment=(), usb=()",
}

/** For answers that are no page of ours: they show nothing, run nothing and are framed by nobody. */
export const emptyPolicy = "default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
