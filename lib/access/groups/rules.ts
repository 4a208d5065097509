import { type Role, roles } from "@/lib/access/permissions"
import type { GroupRole } from "@/lib/platform/env/env"

/** Role by organization id. */
export type Grants = ReadonlyMap<string, Role>

/** What the groups of an account give: in each organization the highest role. */
export function grantsOf(groups: readonly string[], mapping: readonly GroupRole[]): Grants {
  const grants = new Map<string, Role>()
  for (const { group, organizationId, role } of mapping) {
    const held = grants.get(organizationId)
    const isHigher = held === undefined || roles.indexOf(role) < roles.indexOf(held)
    if (groups.includes(group) && isHigher) grants.set(organizationId, role)
  }
  return grants
}
