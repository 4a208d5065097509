import { clickersMax, type BroadcastLinks, listedLinksMax } from "@/lib/broadcasts/schema"
import { pool } from "@/lib/platform/database/db"
import type { Scope } from "@/lib/platform/http/scope"

// Raw SQL: it counts events by a value in their data, which Prisma cannot group by.

/** Clicks of people and how many people clicked, by link. Who clicked has an email of one of these states. */
export async function clicksByLink(scope: Scope, broadcastId: string): Promise<BroadcastLinks> {
  const { rows } = await pool().query<{ url: string; clicks: number; people: number; of: number }>({
    name: "broadcasts.clicks_by_link",
    text: `WITH people AS MATERIALIZED (
        SELECT id FROM emails WHERE project_id = $1 AND broadcast_id = $2 AND status IN ('clicked', 'complained')
          ORDER BY id LIMIT ${clickersMax + 1})
      SELECT v.data->>'url' AS url, count(*)::int AS clicks, count(DISTINCT v.email_id)::int AS people,
          (SELECT count(*)::int FROM people) AS of
        FROM (SELECT id FROM people ORDER BY id LIMIT ${clickersMax}) p
        JOIN events v ON v.project_id = $1 AND v.email_id = p.id AND v.type = 'clicked'
          AND v.data->>'machine' IS DISTINCT FROM 'true' AND v.data->>'url' IS NOT NULL
        GROUP BY 1 ORDER BY people DESC, clicks DESC, url LIMIT ${listedLinksMax}`,
    values: [scope.project.id, broadcastId],
  })
  const data = rows.map(({ url, clicks, people }) => ({ url, clicks, people }))
  return { data, complete: (rows[0]?.of ?? 0) <= clickersMax }
}
