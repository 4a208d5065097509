import { NextResponse, type NextRequest } from "next/server"
import { env } from "@/lib/platform/env/env"
import { pageHeaders } from "@/lib/platform/http/page-headers"

/**
 * Headers of every page: a Content-Security-Policy with a nonce of its own for each answer, and the path for the layout
 * that sends strangers to the sign-in page. The API never passes through here.
 */
export function proxy(request: NextRequest): NextResponse {
  const nonce = btoa(crypto.randomUUID())
  const policy = contentSecurityPolicy(nonce)
  const headers = new Headers(request.headers)
  headers.set("x-nonce", nonce)
  headers.set("x-path", request.nextUrl.pathname + request.nextUrl.search)
  // Next reads the nonce for its own scripts out of the request's policy.
  headers.set("content-security-policy", policy)
  const response = NextResponse.next({ request: { headers } })
  response.headers.set("Content-Security-Policy", policy)
  for (const [name, value] of Object.entries(pageHeaders())) response.headers.set(name, value)
  return response
}

export const config = {
  matcher: [
    "/((?!v1/|v1$|resend/|sendgrid/|postmark/|mailgun/|api/|health$|health/|hooks/|t/|u/|files/|_next/|icon\\.svg|favicon\\.ico).*)",
  ],
}

function contentSecurityPolicy(nonce: string): string {
  const developing = env().mode === "development"
  return [
    "default-src 'self'",
    `script-src 'self' 'nonce-${nonce}' 'strict-dynamic'${developing ? " 'unsafe-eval'" : ""}`,
    // Notes and previews of mails bring style elements and attributes; no script can come that way.
    "style-src 'self' 'unsafe-inline'",
    "img-src 'self' data: blob:",
    "font-src 'self' data:",
    `connect-src 'self'${developing ? " ws: wss:" : ""}`,
    "frame-src 'self'",
    "object-src 'none'",
    "base-uri 'none'",
    "form-action 'self'",
    "frame-ancestors 'none'",
  ].join("; ")
}
