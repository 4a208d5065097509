import { tokens, tokensMax } from "@/lib/delivery/queue/claims/data"
import { isHeld } from "@/lib/delivery/queue/queues/data"
import { pool } from "@/lib/platform/database/db"

/**
 * What waits: due deliveries by region, events to dispatch, returned mail to read, due deliveries to webhooks that are not
 * disabled, and scheduled emails. Ages in seconds.
 */
export type Waiting = {
  deliveries: { region: string; count: number; oldestSeconds: number }[]
  events: Line
  returnedMail: Line
  webhooks: Line
  /** Emails that wait for their time. */
  scheduled: number
}

type Line = { count: number; oldestSeconds: number }

/** Scans of partial indexes over what waits alone. On `pg`, because it serves every scrape and health check. */
export async function countWaitingWork(): Promise<Waiting> {
  const { rows } = await pool().query<{
    what: keyof Waiting
    region: string | null
    count: number
    oldest: number | null
  }>({
    name: "queue.waiting",
    text: `SELECT 'deliveries' AS what, q.region, sum(d.count)::int AS count, extract(epoch FROM now() - min(d.oldest))::float8 AS oldest
        FROM delivery_queues q JOIN (SELECT queue_id, count(*), min(due_at) AS oldest FROM deliveries
          WHERE due_at <= now() GROUP BY queue_id) d ON d.queue_id = q.id GROUP BY q.region
      UNION ALL
      SELECT 'events', NULL, count(*)::int, extract(epoch FROM now() - min(created_at))::float8 FROM events WHERE seq IS NULL
      UNION ALL
      SELECT 'returnedMail', NULL, count(*)::int, extract(epoch FROM now() - min(due_at))::float8
        FROM inbound_messages WHERE due_at <= now()
      UNION ALL
      SELECT 'webhooks', NULL, count(*)::int, extract(epoch FROM now() - min(d.due_at))::float8
        FROM webhook_deliveries d JOIN webhooks w ON w.id = d.webhook_id
        WHERE d.due_at <= now() AND w.deleted_at IS NULL AND w.disabled_at IS NULL
      UNION ALL
      SELECT 'scheduled', NULL, count(*)::int, NULL FROM emails WHERE due_at IS NOT NULL`,
  })
  const found = rows.map(({ oldest, ...rest }) => ({ ...rest, oldestSeconds: Math.max(0, oldest ?? 0) }))
  const lineOf = (wanted: keyof Waiting): Line => {
    const { count = 0, oldestSeconds = 0 } = found.find(({ what }) => what === wanted) ?? {}
    return { count, oldestSeconds }
  }
  return {
    deliveries: found.flatMap(({ region, count, oldestSeconds }) =>
      region === null ? [] : [{ region, count, oldestSeconds }],
    ),
    events: lineOf("events"),
    returnedMail: lineOf("returnedMail"),
    webhooks: lineOf("webhooks"),
    scheduled: lineOf("scheduled").count,
  }
}

/** What may stand still. */
export const overdueKinds = ["mail", "events", "webhooks", "returned_mail"] as const
export type Overdue = (typeof overdueKinds)[number]

const overdueAfter = "interval '1 minute'"

/**
 * What could be done and has waited for more than a minute. Mail counts where nothing of its own holds it up: neither a region
 * that is down, a destination that is paused or slowed, nor the sending rate of its project, nor a suspension; a webhook's deliveries where none of them was attempted
 * in that time, because an endpoint that is slow itself keeps its own waiting. On `pg`, as `waiting`.
 */
export async function overdue(): Promise<Overdue[]> {
  const { rows } = await pool().query<Record<Overdue, boolean>>({
    name: "queue.overdue",
    text: `WITH live AS (SELECT id, per_second_sends FROM projects WHERE suspended_at IS NULL AND deleted_at IS NULL)
      SELECT EXISTS (
          SELECT 1 FROM delivery_queues q JOIN deliveries d ON d.queue_id = q.id
            JOIN live p ON p.id = d.project_id LEFT JOIN delivery_allowances a ON a.project_id = p.id
            WHERE d.due_at < now() - ${overdueAfter} AND NOT ${isHeld}
              AND (a.project_id IS NULL OR ${tokens} >= ${tokensMax} / 2.0)
          UNION ALL
          SELECT 1 FROM live p WHERE EXISTS (
            SELECT 1 FROM emails e WHERE e.project_id = p.id AND e.due_at < now() - ${overdueAfter} AND e.status = 'scheduled')
        ) AS mail,
        EXISTS (SELECT 1 FROM events WHERE seq IS NULL AND created_at < now() - ${overdueAfter}) AS events,
        EXISTS (SELECT 1 FROM webhook_shapings WHERE due_at < now() - ${overdueAfter}) OR EXISTS (
          SELECT 1 FROM webhooks w JOIN live p ON p.id = w.project_id
            WHERE w.deleted_at IS NULL AND EXISTS (
              SELECT 1 FROM webhook_deliveries d WHERE d.webhook_id = w.id AND d.due_at < now() - ${overdueAfter}
                AND (w.disabled_at IS NULL OR d.replay > 0 OR d.event_type = 'webhook.test'))
            AND NOT EXISTS (SELECT 1 FROM webhook_deliveries d WHERE d.webhook_id = w.id AND d.status = 'processing'
              AND d.due_at > now())
            AND NOT EXISTS (SELECT 1 FROM webhook_hours h WHERE h.webhook_id = w.id
              AND greatest(h.last_succeeded_at, h.last_failed_at) > now() - ${overdueAfter})
        ) AS webhooks,
        EXISTS (SELECT 1 FROM inbound_messages WHERE due_at < now() - ${overdueAfter}) AS returned_mail`,
  })
  const found = rows[0]
  return overdueKinds.filter((what) => found?.[what])
}
