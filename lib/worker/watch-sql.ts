import type { ClientBase } from "pg"
import { regionNames } from "@/lib/regions/regions"

/** Work of a loop that comes due within the time asked for; `inMs` is zero or less for what is due. */
export type DueWork = { loop: string; inMs: number }

/** Loops by their names, and the tables and columns that tell when they have work next. */
export const watchedTables: readonly [loop: string, table: string, column: string][] = [
  ["relay probes", "region_outages", "next_probe_at"],
  ["loop tests", "return_routes", "due_at"],
  ["broadcasts", "broadcasts", "due_at"],
  ["returned mail", "inbound_messages", "due_at"],
  ["received mail", "inbound_messages", "due_at"],
  ["system mail", "system_mails", "due_at"],
  ["notice posts", "notices", "due_at"],
  ["opens and clicks", "tracking_hits", "due_at"],
  ["webhook shaping", "webhook_shapings", "due_at"],
  ["domain checks", "domains", "due_at"],
  ["segment passes", "segments", "pass_due_at"],
  ["imports of contacts", "imports", "due_at"],
  ["engagement pass", "engagement_pass", "due_at"],
]

const statement = `SELECT loop, (extract(epoch FROM due_at - now()) * 1000)::float8 AS "inMs" FROM (
    SELECT 'events' AS loop, now() AS due_at WHERE EXISTS (SELECT 1 FROM events WHERE seq IS NULL)
    UNION ALL SELECT 'deliveries ' || q.region, min((SELECT CASE WHEN q.pause IS NULL THEN due_at ELSE greatest(due_at, coalesce(q.paused_until, 'infinity')) END
        FROM deliveries d WHERE d.queue_id = q.id AND due_at IS NOT NULL ORDER BY due_at LIMIT 1))
      FROM delivery_queues q WHERE q.region = ANY ($1) GROUP BY q.region
    UNION ALL SELECT 'scheduled release', (${earliestOf("emails", "project_id")})
    UNION ALL SELECT 'webhooks', (${earliestOf("webhook_deliveries", "webhook_id")})
    ${watchedTables.map(([loop, table, column]) => `UNION ALL SELECT '${loop}', (SELECT min(${column}) FROM ${table})`).join("\n    ")}
  ) work WHERE due_at < now() + make_interval(secs => $2)`

/** The earliest due time where the index has another column first: one read for each of its values. */
function earliestOf(table: string, column: string): string {
  return `WITH RECURSIVE walk AS (
      (SELECT ${column} AS id FROM ${table} WHERE due_at IS NOT NULL ORDER BY 1 LIMIT 1)
      UNION ALL SELECT (SELECT t.${column} FROM ${table} t WHERE t.due_at IS NOT NULL AND t.${column} > walk.id ORDER BY 1 LIMIT 1)
        FROM walk WHERE walk.id IS NOT NULL
    ) SELECT min((SELECT min(due_at) FROM ${table} t WHERE t.${column} = walk.id)) FROM walk WHERE walk.id IS NOT NULL`
}

/**
 * What is due now or within so many milliseconds, of all projects: a read of one index per loop. On `pg`, over a connection of
 * its own that also listens.
 */
export async function dueWithin(ms: number, on: ClientBase): Promise<DueWork[]> {
  const { rows } = await on.query<DueWork>({ name: "worker.due", text: statement, values: [regionNames, ms / 1_000] })
  return rows
}
