import type { Access } from "@/lib/platform/http/endpoint"

export const permissions = [
  "emails:send",
  "emails:read",
  "metrics:read",
  "suppressions:read",
  "suppressions:write",
  "contacts:read",
  "contacts:write",
  "webhooks:read",
  "webhooks:write",
  "usage:read",
  "projects:read",
  "projects:write",
  "domains:read",
  "domains:write",
  "inbound:read",
  "inbound:write",
] as const

export type Permission = (typeof permissions)[number]

export const roles = ["owner", "admin", "developer", "viewer"] as const
export type Role = (typeof roles)[number]

/** Access for any credential with at least one of these permissions. */
export function allow(...anyOf: [Permission, ...Permission[]]): Exclude<Access, { credential: "none" }> {
  return { credential: "any", anyOf }
}

/** Access for signed-in users with the permission, and one of the roles if any are named. */
export function allowSession(permission: Permission, ...among: Role[]): Access {
  return { credential: "session", anyOf: [permission], ...(among.length ? { roles: among } : {}) }
}

/** Access for any API key, whatever its permissions. */
export function allowKey(): Access {
  return { credential: "key", anyOf: [] }
}

/** Access for any signed-in user, to their own account. */
export function allowPerson(): Access {
  return { credential: "session", anyOf: [] }
}

/** Access for signed-in users who run the installation. */
export function allowOperator(): Access {
  return { credential: "session", anyOf: [], operator: true }
}

/** Access for keys with the permission, and for users with the permission and one of the roles. */
export function allowRoles(permission: Permission, ...among: Role[]): Access {
  return { credential: "any", anyOf: [permission], roles: among }
}

/** What a member may do by role: owners and admins all, developers all, viewers whatever only reads. */
export function permissionsOf(role: string | undefined): readonly Permission[] {
  if (role === "owner" || role === "admin" || role === "developer") return permissions
  if (role === "viewer") return permissions.filter((permission) => permission.endsWith(":read"))
  return []
}

/** What a member may give an API key: with `projects:write` a key changes limits, which a developer may not. */
export function grantable(role: string | undefined): readonly Permission[] {
  const held = permissionsOf(role)
  return role === "developer" ? held.filter((permission) => permission !== "projects:write") : held
}

/** Permissions as the API shows them: resource to actions. */
export function permissionMap(granted: readonly string[]): Record<string, string[]> {
  const map: Record<string, string[]> = {}
  for (const permission of granted) {
    const [resource = "", action = ""] = permission.split(":")
    map[resource] = [...(map[resource] ?? []), action]
  }
  return map
}
