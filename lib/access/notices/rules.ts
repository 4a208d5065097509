import { type Permission, permissionsOf } from "@/lib/access/permissions"
import type { Notice } from "@/lib/access/system-mail/system-mail"

/** What somebody must be allowed to read to see notices of each kind. */
const permissionFor = {
  "webhook-disabled": "webhooks:read",
  "domain-status": "domains:read",
  "records-changed": "domains:read",
  "quota-used": "projects:read",
  "rate-critical": "metrics:read",
  "broadcast-stopped": "emails:read",
} as const satisfies Record<Notice["kind"], Permission>

export const projectNoticeKinds = Object.keys(permissionFor) as (keyof typeof permissionFor)[]

/** The kinds that a member with this role sees. */
export function kindsFor(role: string): Notice["kind"][] {
  const granted = permissionsOf(role)
  return projectNoticeKinds.filter((kind) => granted.includes(permissionFor[kind]))
}
