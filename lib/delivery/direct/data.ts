import type { StsPolicy } from "@/lib/delivery/direct/tls-policies"
import type { TlsCount } from "@/lib/delivery/direct/tls-results"
import { databaseTime, secondsAfter } from "@/lib/platform/database/clock-sql"
import { pool, unscoped } from "@/lib/platform/database/db"

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

/**
 * Adds to the results of TLS, of all projects: reports go to a domain once for all who send to it. On `pg`, because a minute's mail
 * has as many counters as it has domains, and Prisma writes them one by one.
 */
export async function countTls(counts: readonly TlsCount[]): Promise<void> {
  const rows = counts.map(({ policy, ...count }) => ({ ...count, policy_type: policy.type, policy: policy.lines }))
  await pool().query(
    `INSERT INTO tls_results AS t (day, domain, policy_type, policy, host, result, sessions)
      SELECT day, domain, policy_type, policy, host, result, sessions
        FROM json_to_recordset($1) AS g(day date, domain text, policy_type text, policy text[], host text, result text, sessions int)
        ORDER BY day, domain, policy_type, host, result
      ON CONFLICT (day, domain, policy_type, host, result) DO UPDATE SET sessions = t.sessions + excluded.sessions, policy = excluded.policy`,
    [JSON.stringify(rows)],
  )
}
