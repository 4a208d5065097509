import type { Added, Counted } from "@/lib/access/limits/windows"
import { pool } from "@/lib/platform/database/db"

/**
 * Adds to the windows of these keys, which come in order. Counted by the database's clock, exact over all processes and hosts
 * (`prisma/functions/count_in_windows.sql`). On `pg`, because most requests with a credential wait for it.
 */
export async function countInWindows(added: readonly Omit<Added, "requests">[]): Promise<ReadonlyMap<string, Counted>> {
  const { rows } = await pool().query<{ key: string; points: number; ms_to_end: number }>({
    name: "access.count_in_windows",
    text: "SELECT * FROM count_in_windows($1, $2, $3)",
    values: [added.map(({ key }) => key), added.map(({ points }) => points), added.map(({ windowMs }) => windowMs)],
  })
  return new Map(rows.map(({ key, points, ms_to_end }) => [key, { points, msToEnd: ms_to_end }]))
}
