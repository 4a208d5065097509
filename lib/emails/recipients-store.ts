import { pool } from "@/lib/platform/db"
import type { Scope } from "@/lib/platform/scope"

/** Which of these canonical addresses the project's suppression list holds, and why. */
export async function findSuppressed(scope: Scope, canonical: readonly string[]): Promise<Map<string, string>> {
  const { rows } = await pool().query<{ email: string; reason: string }>({
    name: "emails.suppressed",
    text: "SELECT email, reason FROM suppressions WHERE project_id = $1 AND email = ANY ($2)",
    values: [scope.project.id, canonical],
  })
  return new Map(rows.map(({ email, reason }) => [email, reason]))
}
