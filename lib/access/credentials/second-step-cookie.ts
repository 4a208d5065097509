import { cookieValue, secureCookies } from "@/lib/access/credentials/session"
import { pendingSignInSeconds } from "@/lib/access/second-factor/data"

function cookieName(): string {
  return secureCookies() ? "__Host-mailroom.second-step" : "mailroom.second-step"
}

/** The token of a sign-in that waits for the second step, which only this browser has. */
export function secondStepToken(cookieHeader: string | null): string | null {
  return cookieHeader && cookieValue(cookieHeader, cookieName())
}

/** The `Set-Cookie` header that keeps the token for as long as the sign-in waits; none ends it. */
export function secondStepCookie(token: string | null): string {
  const maxAge = token === null ? 0 : pendingSignInSeconds
  const secure = secureCookies() ? "; Secure" : ""
  return `${cookieName()}=${token ?? ""}; Path=/; HttpOnly; SameSite=Lax; Max-Age=${maxAge}${secure}`
}
