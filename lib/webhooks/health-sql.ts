import { latencyOf, type Latency } from "@/lib/platform/database/latency-sql"
import { db } from "@/lib/platform/database/scoped-db"
import type { Scope } from "@/lib/platform/http/scope"
import { Prisma } from "@/prisma/generated/client"
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

/** How long the attempts took that succeeded, among the latest deliveries. */
export function webhookLatency(scope: Scope, webhookId: string): Promise<Latency> {
  const ms = Prisma.sql`CASE WHEN status = 'success' THEN (attempts -> -1 ->> 'durationMs')::float8 END`
  const own = Prisma.sql`project_id = ${scope.project.id}::uuid AND webhook_id = ${webhookId}::uuid`
  return latencyOf(ms, Prisma.sql`webhook_deliveries WHERE ${own}`, db(scope))
}
