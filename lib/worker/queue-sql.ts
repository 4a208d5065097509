import { pool } from "@/lib/platform/database/db"

/** What waits: due deliveries by region, and events to dispatch. Ages in seconds. */
export type Waiting = {
  deliveries: { region: string; count: number; oldestSeconds: number }[]
  events: { count: number; oldestSeconds: number }
}

/**
 * Two scans of partial indexes over what waits alone; the events have no region. On `pg`, because it serves every scrape and
 * health check.
 */
export async function waiting(): Promise<Waiting> {
  const { rows } = await pool().query<{ region: string | null; count: number; oldest: number | null }>({
    name: "queue.waiting",
    text: `SELECT region, count(*)::int AS count, extract(epoch FROM now() - min(due_at))::float8 AS oldest
        FROM deliveries WHERE due_at <= now() GROUP BY region
      UNION ALL
      SELECT NULL, count(*)::int, extract(epoch FROM now() - min(created_at))::float8 FROM events WHERE seq IS NULL`,
  })
  const found = rows.map(({ region, count, oldest }) => ({ region, count, oldestSeconds: Math.max(0, oldest ?? 0) }))
  const { count = 0, oldestSeconds = 0 } = found.find(({ region }) => region === null) ?? {}
  return {
    deliveries: found.flatMap(({ region, ...rest }) => (region === null ? [] : [{ region, ...rest }])),
    events: { count, oldestSeconds },
  }
}
