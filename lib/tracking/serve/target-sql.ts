import { pool } from "@/lib/platform/database/db"

/** Where a tracked link leads. `disabled`: its project is suspended or being deleted. */
export type Target = { url: string; host: string | null; disabled: boolean }

/**
 * The targets of links, null for one that is not known. On `pg`, over all projects, because a link names its delivery alone and
 * a person waits for the response.
 */
export async function findTargets(
  links: readonly { deliveryId: string; number: number }[],
): Promise<(Target | null)[]> {
  const { rows } = await pool().query<Target & { place: number }>({
    name: "tracking.find_targets",
    // Each by its keys, whatever the planner thinks of lists.
    text: `SELECT l.place::int, found.* FROM unnest($1::uuid[], $2::int[]) WITH ORDINALITY AS l(delivery_id, number, place)
      CROSS JOIN LATERAL (
        SELECT t.urls[l.number + 1] AS url, t.host, p.suspended_at IS NOT NULL OR p.deleted_at IS NOT NULL AS disabled
          FROM deliveries d JOIN tracked_emails t ON t.project_id = d.project_id AND t.email_id = d.email_id
          JOIN projects p ON p.id = d.project_id
          WHERE d.id = l.delivery_id AND t.urls[l.number + 1] IS NOT NULL LIMIT 1
      ) found`,
    values: [links.map(({ deliveryId }) => deliveryId), links.map(({ number }) => number)],
  })
  const byPlace = new Map(rows.map(({ place, ...target }) => [place, target]))
  return links.map((_, at) => byPlace.get(at + 1) ?? null)
}
