import { pool } from "@/lib/platform/database/db"
import type { Hit } from "@/lib/tracking/hits/hit-rules"

/** A request as a web process noted it; `ageMs` before now. */
export type NewHit = Omit<Hit, "at"> & {
  deliveryId: string
  /** The sending domain's own host under which it came; null for the service's. */
  host: string | null
  ageMs: number
  waitMs: number
}

/**
 * Adds requests, of all projects: a token names a delivery alone. One that came under a host that is not its email's, or for a
 * suspended project, is left out. On `pg`, because the project is not known before.
 */
export async function addHits(hits: readonly NewHit[]): Promise<void> {
  await pool().query({
    name: "tracking.add_hits",
    text: `INSERT INTO tracking_hits (id, project_id, email_id, delivery_id, kind, number, client, user_agent, head, held_ms,
        at, due_at)
      SELECT h.id, d.project_id, d.email_id, d.id, h.kind, h.number, h.client, h."userAgent", h.head, h."heldMs",
          now() - make_interval(secs => h."ageMs" / 1000.0), now() + make_interval(secs => greatest(0, h."waitMs" - h."ageMs") / 1000.0)
        FROM json_to_recordset($1) AS h(id uuid, "deliveryId" uuid, kind text, number int, client text, "userAgent" text,
          head boolean, "heldMs" int, host text, "ageMs" int, "waitMs" int)
        JOIN deliveries d ON d.id = h."deliveryId"
        JOIN tracked_emails t ON t.project_id = d.project_id AND t.email_id = d.email_id
        JOIN projects p ON p.id = d.project_id AND p.suspended_at IS NULL AND p.deleted_at IS NULL
        WHERE h.host IS NULL OR h.host = t.host
      ON CONFLICT (id) DO NOTHING`,
    values: [JSON.stringify(hits)],
  })
}
