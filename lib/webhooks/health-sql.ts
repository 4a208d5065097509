import { db } from "@/lib/platform/database/scoped-db"
import type { Scope } from "@/lib/platform/http/scope"
import { retryingMax } from "@/lib/webhooks/health-schema"

export type HealthRow = {
  id: string
  attempted: number
  succeeded: number
  recovered: number
  failed: number
  retrying: number
  nextAttemptAt: Date | null
  lastSuccessAt: Date | null
  lastFailureAt: Date | null
}

/**
 * The health of webhooks, from their hours and a bounded number of waiting deliveries. Raw, because Prisma has neither
 * LATERAL nor sums with a condition.
 */
export async function healthOf(scope: Scope, ids: readonly string[]): Promise<HealthRow[]> {
  return db(scope).$queryRaw<HealthRow[]>`
    SELECT w.id, h.*, r.* FROM webhooks w CROSS JOIN LATERAL (
      SELECT coalesce(sum(first_succeeded + first_failed) FILTER (WHERE recent), 0)::int AS attempted,
          coalesce(sum(first_succeeded + recovered) FILTER (WHERE recent), 0)::int AS succeeded,
          coalesce(sum(recovered) FILTER (WHERE recent), 0)::int AS recovered,
          coalesce(sum(failed) FILTER (WHERE recent), 0)::int AS failed,
          max(last_succeeded_at) AS "lastSuccessAt", max(last_failed_at) AS "lastFailureAt"
        FROM (SELECT *, hour > now() - interval '24 hours' AS recent FROM webhook_hours WHERE webhook_id = w.id) hours
    ) h CROSS JOIN LATERAL (
      SELECT count(*)::int AS retrying, min(due_at) AS "nextAttemptAt" FROM (
        SELECT due_at FROM webhook_deliveries WHERE webhook_id = w.id AND due_at IS NOT NULL AND status = 'pending' AND attempt_count > 0
          ORDER BY due_at LIMIT ${retryingMax + 1}) waiting
    ) r WHERE w.project_id = ${scope.project.id}::uuid AND w.id = ANY (${ids}::uuid[])`
}

export type LatencyRow = { sample: number; p50Ms: number | null; p95Ms: number | null }

/** How long the last attempts took that succeeded. Raw, because Prisma has no percentiles. */
export async function latencyOf(scope: Scope, webhookId: string): Promise<LatencyRow> {
  const [row] = await db(scope).$queryRaw<LatencyRow[]>`
    SELECT count(*)::int AS sample, round(percentile_cont(0.5) WITHIN GROUP (ORDER BY ms))::int AS "p50Ms",
        round(percentile_cont(0.95) WITHIN GROUP (ORDER BY ms))::int AS "p95Ms"
      FROM (
        SELECT (attempts -> -1 ->> 'durationMs')::float8 AS ms, status FROM webhook_deliveries
          WHERE project_id = ${scope.project.id}::uuid AND webhook_id = ${webhookId}::uuid ORDER BY id DESC LIMIT 1000) latest
      WHERE status = 'success' AND ms IS NOT NULL`
  return row ?? { sample: 0, p50Ms: null, p95Ms: null }
}
