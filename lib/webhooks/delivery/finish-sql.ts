import { batchWrites } from "@/lib/platform/jobs/batch-writes"
import { pool } from "@/lib/platform/database/db"
import type { Outcome } from "@/lib/webhooks/delivery/outcome"

/** Whether the delivery was still held, and whether its endpoint has only failed for too long. */
export type Finished = { held: boolean; failsTooLong: boolean }

/** An endpoint that has only failed for so long is disabled. */
export const failsTooLongAfter = "5 days"

/** Writes how an attempt ended, fenced by its number; attempts that end together are one statement. */
export const finish = batchWrites<Outcome, Finished>(writeAll, { max: 200 })

/** On `pg`, because the delivery loop runs it for every attempt, for all projects. */
async function writeAll(outcomes: Outcome[]): Promise<Finished[]> {
  const { rows } = await pool().query<{ id: string; failsTooLong: boolean }>({
    name: "webhooks.finish",
    text: `WITH given AS MATERIALIZED (
        SELECT * FROM json_to_recordset($1) AS g(id uuid, attempt int, status text, "waitSeconds" float8, tried int,
          "statusCode" int, error text, snippet text, healthy boolean, record jsonb)
      ), finished AS (
        UPDATE webhook_deliveries d SET status = g.status, due_at = now() + make_interval(secs => g."waitSeconds"),
            attempt_count = d.attempt_count + g.tried, updated_at = now(),
            last_status_code = CASE WHEN g.tried = 1 THEN g."statusCode" ELSE d.last_status_code END,
            last_error = CASE WHEN g.tried = 1 THEN g.error ELSE d.last_error END,
            response_snippet = CASE WHEN g.tried = 1 THEN g.snippet ELSE d.response_snippet END,
            attempts = CASE WHEN g.tried = 1 THEN d.attempts || jsonb_build_array(g.record) ELSE d.attempts END
          FROM given g WHERE d.id = g.id AND d.attempt = g.attempt AND d.status = 'processing'
          RETURNING d.id, d.project_id, d.webhook_id, d.created_at, d.attempt_count, d.status, g.healthy
      ), health AS (
        SELECT webhook_id, bool_or(healthy) AS healthy FROM finished WHERE healthy IS NOT NULL GROUP BY webhook_id
      ), changed AS (
        UPDATE webhooks w SET failing_since = CASE WHEN h.healthy THEN NULL ELSE now() END
          FROM health h WHERE w.id = h.webhook_id AND (w.failing_since IS NULL) <> h.healthy
      ), counted AS (
        INSERT INTO webhook_hours AS h (project_id, webhook_id, hour, first_succeeded, first_failed, recovered, failed,
            last_succeeded_at, last_failed_at)
          SELECT project_id, webhook_id, date_trunc('hour', created_at, 'UTC'), count(*) FILTER (WHERE attempt_count = 1 AND healthy),
              count(*) FILTER (WHERE attempt_count = 1 AND NOT healthy), count(*) FILTER (WHERE attempt_count > 1 AND healthy),
              count(*) FILTER (WHERE status = 'failed'), CASE WHEN bool_or(healthy) THEN now() END,
              CASE WHEN NOT bool_and(healthy) THEN now() END
            FROM finished WHERE healthy IS NOT NULL GROUP BY 1, 2, 3
            -- In one order, so that statements of two workers cannot wait for each other.
            ORDER BY 2, 3
          ON CONFLICT (webhook_id, hour) DO UPDATE SET first_succeeded = h.first_succeeded + excluded.first_succeeded,
            first_failed = h.first_failed + excluded.first_failed, recovered = h.recovered + excluded.recovered,
            failed = h.failed + excluded.failed, last_succeeded_at = coalesce(excluded.last_succeeded_at, h.last_succeeded_at),
            last_failed_at = coalesce(excluded.last_failed_at, h.last_failed_at)
      )
      SELECT f.id, coalesce(NOT h.healthy AND w.failing_since < now() - interval '${failsTooLongAfter}', false) AS "failsTooLong"
        FROM finished f JOIN webhooks w ON w.id = f.webhook_id LEFT JOIN health h ON h.webhook_id = f.webhook_id`,
    values: [JSON.stringify(outcomes)],
  })
  const found = new Map(rows.map(({ id, failsTooLong }) => [id, failsTooLong]))
  return outcomes.map(({ id }) => ({ held: found.has(id), failsTooLong: found.get(id) ?? false }))
}
