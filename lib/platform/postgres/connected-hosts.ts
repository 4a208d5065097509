import type pg from "pg"
import { byShards } from "@/lib/platform/database/db"

/** Hosts whose processes are connected to this database, by the names of their connections (`db.ts`), and how many of each. */
export async function connectedHosts(client: pg.Client): Promise<{ host: string; processes: number }[]> {
  const { rows } = await client.query<{ host: string; processes: number }>(
    `SELECT replace(split_part(application_name, ' ', 2), $1, '') AS host, count(DISTINCT application_name)::int AS processes
      FROM pg_stat_activity WHERE datname = current_database() AND application_name ~ '^mailroom \\S+ [0-9]+$'
      GROUP BY 1 ORDER BY 1`,
    [byShards],
  )
  return rows
}
