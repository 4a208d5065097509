import { env } from "@/lib/platform/env/env"

/** Headers of every page, and of responses outside the API that set none of their own. */
export function pageHeaders(): Record<string, string> {
  return { ...always, ...transportSecurity() }
}

/** Of every answer where the service is reached by https, those of the API included. */
export function transportSecurity(): Record<string, string> {
  return env().baseUrl.startsWith("https:") ? hsts : {}
}

const hsts = { "Strict-Transport-Security": "max-age=31536000; includeSubDomains" }

const always = {
  "X-Content-Type-Options": "nosniff",
  "X-Frame-Options": "DENY",
  "Referrer-Policy": "no-referrer",
  "Cross-Origin-Opener-Policy": "same-origin",
  "Cross-Origin-Resource-Policy": "same-origin",
  "Permissions-Policy": "camera=(), microphone=(), geolocation=(), payment=(), usb=()",
}

/** For responses that are not one of our pages: they load nothing, run nothing and cannot be framed. */
export const emptyPolicy = "default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
