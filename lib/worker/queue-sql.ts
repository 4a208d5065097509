import { pool } from "@/lib/platform/database/db"

/** What waits: due deliveries by region, and events to dispatch. Ages in seconds. */
export type Waiting = {
  deliveries: { region: string; count: number; oldestSeconds: number }[]
  events: { count: number; oldestSeconds: number }
}

/** Two scans of partial indexes over what waits alone. On `pg`, because it serves every scrape and health check. */
export async function waiting(): Promise<Waiting> {
  const [deliveries, events] = await Promise.all([
    pool().query<{ region: string; count: number; oldest: number }>({
      name: "queue.deliveries",
      text: `SELECT region, count(*)::int AS count, extract(epoch FROM now() - min(due_at))::float8 AS oldest
        FROM deliveries WHERE due_at <= now() GROUP BY region`,
    }),
    pool().query<{ count: number; oldest: number | null }>({
      name: "queue.events",
      text: `SELECT count(*)::int AS count, extract(epoch FROM now() - min(created_at))::float8 AS oldest
        FROM events WHERE seq IS NULL`,
    }),
  ])
  const [waitingEvents] = events.rows
  return {
    deliveries: deliveries.rows.map(({ region, count, oldest }) => ({
      region,
      count,
      oldestSeconds: Math.max(0, oldest),
    })),
    events: { count: waitingEvents?.count ?? 0, oldestSeconds: Math.max(0, waitingEvents?.oldest ?? 0) },
  }
}
