import type { StsPolicy } from "@/lib/delivery/direct/sts-policy"
import { databaseTime, secondsAfter } from "@/lib/platform/database/clock-sql"
import { unscoped } from "@/lib/platform/database/db"

/** A policy that was fetched: it applies while it is live, and is fetched again once that is due. */
export type KeptPolicy = { policy: StsPolicy; policyId: string; isLive: boolean; isDue: boolean }

const refreshSeconds = 24 * 3_600

/** Policies belong to the domains of recipients, above projects. */
export async function findPolicy(domain: string): Promise<KeptPolicy | null> {
  const row = await unscoped().mtaStsPolicy.findUnique({ where: { domain }, select: shape })
  if (!row) return null
  const now = await databaseTime()
  return {
    policy: { mode: row.mode as StsPolicy["mode"], mx: row.mx, maxAgeSeconds: row.maxAge },
    policyId: row.policyId,
    isLive: row.expiresAt > now,
    isDue: row.refreshAt <= now,
  }
}

const shape = { policyId: true, mode: true, mx: true, maxAge: true, expiresAt: true, refreshAt: true } as const

export async function keepPolicy(
  domain: string,
  policyId: string,
  { mode, mx, maxAgeSeconds }: StsPolicy,
): Promise<void> {
  const fetchedAt = await databaseTime()
  const row = {
    policyId,
    mode,
    mx: [...mx],
    maxAge: maxAgeSeconds,
    fetchedAt,
    expiresAt: secondsAfter(fetchedAt, maxAgeSeconds),
    refreshAt: secondsAfter(fetchedAt, refreshSeconds),
  }
  await unscoped().mtaStsPolicy.upsert({ where: { domain }, create: { domain, ...row }, update: row })
}
