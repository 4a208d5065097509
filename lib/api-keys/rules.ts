import { dayMs } from "@/lib/platform/time"
import type { Permission } from "@/lib/access/permissions"

/** The wanted permissions that the issuer does not have: nobody can grant more than they hold. */
export function beyond<P extends string>(held: readonly Permission[], wanted: readonly P[]): P[] {
  const known: readonly string[] = held
  return wanted.filter((permission) => !known.includes(permission))
}

/** What restricts a key; an empty list restricts nothing. */
export type RestrictedTo = { allowedAddresses: string[]; allowedDomains: string[] }

/** The lists of a request: null removes a restriction, and a field that is left out keeps it. */
export function restrictionsOf(body: {
  [List in keyof RestrictedTo]?: readonly string[] | null | undefined
}): Partial<RestrictedTo> {
  const { allowedAddresses, allowedDomains } = body
  return {
    ...(allowedAddresses !== undefined && { allowedAddresses: [...new Set(allowedAddresses)] }),
    ...(allowedDomains !== undefined && { allowedDomains: [...new Set(allowedDomains)] }),
  }
}

export function expiryOf(days: number | null | undefined, now: Date): Date | undefined {
  return days ? new Date(now.getTime() + days * dayMs) : undefined
}

/** A window that ends before it begins is an empty page, not a fault. */
export function isEmptyWindow({ after, before }: { after?: Date; before?: Date }): boolean {
  return after !== undefined && before !== undefined && before < after
}

export type RotatedKey = {
  id: string
  start: string
  replacesId: string | null
  createdAt: Date
  expiresAt: Date | null
  lastRequestAt: Date | null
}

/**
 * The rotation that a key is in while both keys work; null without one. A key that replaced one and was replaced itself is
 * shown as the old key of the later rotation.
 */
export function rotationOf(live: readonly RotatedKey[], keyId: string): { next: RotatedKey; old: RotatedKey } | null {
  const own = live.find(({ id }) => id === keyId)
  if (!own) return null
  const next = live.find(({ replacesId }) => replacesId === keyId)
  if (next) return { next, old: own }
  const old = live.find(({ id }) => id === own.replacesId)
  return old ? { next: own, old } : null
}

const unusedAfterMs = 30 * dayMs

type Used = { permission: string; requests: number; lastUsedAt: Date }
type Use = { permission: string; granted: boolean; requests: number; lastUsedAt?: Date }

/**
 * What a key uses its permissions for, the latest first, and those that it has not used in 30 days. A younger key gets no
 * advice: it may not have had an occasion yet.
 */
export function permissionUses(
  key: { permissions?: Record<string, string[]> | undefined; createdAt: Date; enabled: boolean },
  used: readonly Used[],
  now: Date,
): { permissions: Use[]; unused: string[] } {
  const isRecent = (instant: Date) => now.getTime() - instant.getTime() < unusedAfterMs
  const granted = Object.entries(key.permissions ?? {}).flatMap(([area, actions]) =>
    actions.map((action) => `${area}:${action}`),
  )
  const never = granted.filter((permission) => !used.some((use) => use.permission === permission))
  const permissions: Use[] = [
    ...used.map((use) => ({ ...use, granted: granted.includes(use.permission) })),
    ...never.map((permission) => ({ permission, granted: true, requests: 0 })),
  ]
  const unused = permissions.filter(({ granted: held, lastUsedAt }) => held && !(lastUsedAt && isRecent(lastUsedAt)))
  const isAdvised = key.enabled && !isRecent(key.createdAt)
  return { permissions, unused: isAdvised ? unused.map(({ permission }) => permission) : [] }
}
