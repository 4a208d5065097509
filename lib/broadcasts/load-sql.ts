import type { HeldBroadcast } from "@/lib/broadcasts/claim-sql"
import type { BroadcastStatus, Load } from "@/lib/broadcasts/rules"
import { pool } from "@/lib/platform/database/db"
import { regionNames } from "@/lib/regions/regions"

/** Waiting deliveries that are looked at: enough to tell that the queue is full. */
const queueMax = 2_000

/**
 * How much the project sends at this moment, and the status of the broadcast; null if another worker has taken it over. On `pg`,
 * because it is asked before each group of people.
 */
export async function readLoad({
  projectId,
  id,
  attempt,
}: HeldBroadcast): Promise<(Load & { status: BroadcastStatus }) | null> {
  const { rows } = await pool().query<Load & { status: BroadcastStatus }>({
    name: "broadcasts.load",
    text: `SELECT b.status, p.per_second_sends AS rate, size.burst, waiting.queued,
        least(size.burst, a.tokens + greatest(0, extract(epoch FROM now() - a.refilled_at)) * p.per_second_sends)::float8 AS tokens,
        waiting.others > 0 OR EXISTS (SELECT 1 FROM emails e WHERE e.project_id = $1 AND e.due_at <= now()) AS "othersWait",
        (SELECT count(*)::int FROM broadcasts o WHERE o.project_id = $1 AND o.status = 'sending' AND o.due_at IS NOT NULL) AS active
      FROM broadcasts b JOIN projects p ON p.id = b.project_id JOIN send_allowances a ON a.project_id = p.id,
        LATERAL (SELECT greatest(100, 20 * p.per_second_sends)::float8 AS burst) size,
        LATERAL (
          SELECT count(*) FILTER (WHERE e.broadcast_id IS NOT NULL)::int AS queued,
              count(*) FILTER (WHERE e.broadcast_id IS NULL)::int AS others
            FROM (SELECT d.email_id FROM deliveries d WHERE d.project_id = $1 AND d.region = ANY ($4)
              AND d.due_at <= now() AND d.status = 'queued' LIMIT ${queueMax}) d
            JOIN emails e ON e.project_id = $1 AND e.id = d.email_id) waiting
      WHERE b.project_id = $1 AND b.id = $2 AND b.attempt = $3`,
    values: [projectId, id, attempt, regionNames],
  })
  return rows[0] ?? null
}
