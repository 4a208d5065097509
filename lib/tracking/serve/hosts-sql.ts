import { pool } from "@/lib/platform/database/db"

/** Hosts for tracked links of every project's domains whose ownership is proven. On `pg`, because hosts are asked about before the project is known. */
export async function findTrackingHosts(): Promise<string[]> {
  const { rows } = await pool().query<{ host: string }>({
    name: "tracking.hosts",
    text: `SELECT DISTINCT d.tracking_domain AS host FROM domains d JOIN projects p ON p.id = d.project_id
      WHERE d.status IN ('verified', 'degraded') AND p.suspended_at IS NULL AND p.deleted_at IS NULL`,
  })
  return rows.map(({ host }) => host)
}
