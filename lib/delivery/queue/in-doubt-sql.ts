import type { Claimed } from "@/lib/delivery/queue/claim-sql"
import { pool } from "@/lib/platform/database/db"

// On `pg`, because the delivery loop runs these for every message or group of all projects (lib/README.md, "Data access").

/**
 * Marks claims, of all projects, whose message's data is about to be sent: only these are in doubt if their outcome is lost.
 * Returns the ids that are still held.
 */
export async function markData(claimed: readonly Claimed[]): Promise<Set<string>> {
  const { rows } = await pool().query<{ id: string }>({
    name: "delivery.mark_data",
    text: `UPDATE deliveries d SET data_attempt = d.attempt FROM unnest($1::uuid[], $2::int[]) AS given(id, attempt)
      WHERE d.id = given.id AND d.attempt = given.attempt AND d.status IN ('sending', 'delivery_delayed') RETURNING d.id`,
    values: [claimed.map(({ id }) => id), claimed.map(({ attempt }) => attempt)],
  })
  return new Set(rows.map(({ id }) => id))
}
