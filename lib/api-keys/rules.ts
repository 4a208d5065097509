import type { Permission } from "@/lib/access/permissions"

/** The wanted permissions that the issuer does not have: nobody can grant more than they hold. */
export function beyond<P extends string>(held: readonly Permission[], wanted: readonly P[]): P[] {
  const known: readonly string[] = held
  return wanted.filter((permission) => !known.includes(permission))
}

export function expiryOf(days: number | null | undefined, now: Date): Date | undefined {
  return days ? new Date(now.getTime() + days * 86_400_000) : undefined
}

/** A window that ends before it begins is an empty page, not a fault. */
export function isEmptyWindow({ after, before }: { after?: Date; before?: Date }): boolean {
  return after !== undefined && before !== undefined && before < after
}
