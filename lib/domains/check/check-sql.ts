import type { CheckOutcome, WatchedDomain } from "@/lib/domains/check/check"
import { pool } from "@/lib/platform/database/db"
import type { ScopedDb } from "@/lib/platform/database/scoped-types"

/**
 * Claims up to `limit` domains whose check is due, of all projects; they become due again after `leaseSeconds`. On `pg`,
 * because it serves all projects and Prisma has no SKIP LOCKED.
 */
export async function claimDue(limit: number, leaseSeconds: number): Promise<string[]> {
  const { rows } = await pool().query<{ id: string }>(
    `WITH due AS (
        SELECT id FROM domains WHERE due_at <= now() ORDER BY due_at LIMIT $1 FOR UPDATE SKIP LOCKED
      )
      UPDATE domains SET due_at = now() + make_interval(secs => $2) WHERE id IN (SELECT id FROM due) RETURNING id`,
    [limit, leaseSeconds],
  )
  return rows.map(({ id }) => id)
}

/**
 * Stores what a check found unless the domain was checked or changed since it was read; answers whether it did. Raw,
 * because the next check is due by the database's clock.
 */
export async function storeOutcome(domain: WatchedDomain, outcome: CheckOutcome, tx: ScopedDb): Promise<boolean> {
  const hosting = outcome.hosting && JSON.stringify(outcome.hosting)
  const stored = await tx.$executeRaw`
    UPDATE domains SET status = ${outcome.status}, missing_since = ${outcome.missingSince}::timestamptz,
        verified_at = ${outcome.verifiedAt}::timestamptz, dkim_status = ${outcome.dkimStatus},
        spf_status = ${outcome.spfStatus}, mail_from_status = ${outcome.mailFromStatus},
        dmarc_status = ${outcome.dmarcStatus}, tracking_status = ${outcome.trackingStatus},
        records = ${JSON.stringify(outcome.records)}::jsonb, hosting = COALESCE(${hosting}::jsonb, hosting),
        check_attempt = ${outcome.attempt}::int, checked_at = ${outcome.checkedAt}::timestamptz,
        due_at = now() + make_interval(secs => ${outcome.nextCheckSeconds}::int),
        updated_at = CASE WHEN ${outcome.changed}::boolean THEN now() ELSE updated_at END
      WHERE project_id = ${domain.projectId}::uuid AND id = ${domain.id}::uuid
        AND checked_at IS NOT DISTINCT FROM ${domain.checkedAt}::timestamptz
        AND updated_at = ${domain.updatedAt}::timestamptz`
  return stored > 0
}
