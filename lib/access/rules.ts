/** Length of a new password, in characters. */
export const passwordLength = { min: 12, max: 1024 } as const

/** Length of a person's name, in characters. */
export const personNameCharsMax = 100

/** After signing in by a link or an identity provider, a new password needs no current one for this long. */
const freshMs = 15 * 60_000

/** True when a change of password needs the current one. */
export function currentPasswordNeeded(session: { by: string; createdAt: Date }, now: Date): boolean {
  return session.by === "password" || now.getTime() - session.createdAt.getTime() > freshMs
}

/** True while a confirmed identity is recent enough for sensitive operations. */
export function recentlyConfirmed(confirmedAt: Date, now: Date): boolean {
  // The time is the database's: this host's clock may be wrong in either direction.
  return Math.abs(now.getTime() - confirmedAt.getTime()) <= freshMs
}

/**
 * The page to go to after signing in: a path of our own, or `/`. Whatever a browser could read as another origin
 * (`//host`, `/\host`, a scheme, control characters) counts as none.
 */
export function landingPath(wanted: string | null | undefined): string {
  if (!wanted || !/^\/(?![/\\])/.test(wanted) || /[\u0000-\u0020\\\u007f]/.test(wanted)) return "/"
  try {
    const base = "http://mailroom.invalid"
    const { origin, pathname, search, hash } = new URL(wanted, base)
    // Escaped slashes at the front would be a host again for whoever decodes once more.
    if (origin !== base || pathname.startsWith("//") || /^\/(%2f|%5c)/i.test(pathname)) return "/"
    return pathname + search + hash
  } catch {
    return "/"
  }
}

type RoleName = "owner" | "admin" | "developer" | "viewer"

/** True when `actor` may give or take `role`: owners all, admins all but owner, others none. */
export function mayManage(actor: string | undefined, role: string): boolean {
  return actor === "owner" || (actor === "admin" && role !== "owner")
}

/** The roles that `actor` may give, highest first. */
export function grantableRoles(actor: string | undefined): RoleName[] {
  return (["owner", "admin", "developer", "viewer"] as const).filter((role) => mayManage(actor, role))
}

/** What each role may do. */
export const roleWords: Record<RoleName, string> = {
  owner: "Full access, including who is an owner.",
  admin: "Full access, except adding and removing owners.",
  developer: "Can send, and manage domains, API keys and contacts. Cannot change members or limits.",
  viewer: "Can view everything and change nothing.",
}
