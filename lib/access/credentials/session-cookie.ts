import { decode } from "next-auth/jwt"
import { derivedSecret } from "@/lib/platform/crypto"
import { env } from "@/lib/platform/env/env"

/** `__Host-` where the address is https: the cookie then cannot be set by a sibling host. */
export function sessionCookieName(): string {
  return secureCookies() ? "__Host-mailroom.session" : "mailroom.session"
}

export function secureCookies(): boolean {
  return env().baseUrl.startsWith("https:")
}

/** The secret that encrypts session tokens. */
export function sessionSecret(): string {
  return derivedSecret("session")
}

/** The id of the session that a Cookie header names, or null. Whether the session is live is still to be checked. */
export async function sessionIdOf(cookieHeader: string | null): Promise<string | null> {
  const token = cookieHeader && valueOf(cookieHeader, sessionCookieName())
  if (!token) return null
  try {
    const claims = await decode({ token, secret: sessionSecret() })
    return typeof claims?.sid === "string" ? claims.sid : null
  } catch {
    return null
  }
}

function valueOf(cookieHeader: string, name: string): string | null {
  for (const pair of cookieHeader.split(";")) {
    const at = pair.indexOf("=")
    if (at > 0 && pair.slice(0, at).trim() === name) return pair.slice(at + 1).trim()
  }
  return null
}
