import { pool } from "@/lib/platform/database/db"
import type { Scope } from "@/lib/platform/http/scope"
import type { Subscription } from "@/lib/consent/rules"
import { topicOptOutSentence } from "@/lib/topics/rules"

/** Which of these canonical addresses the project's suppression list holds, and why. */
export async function findSuppressed(scope: Scope, canonical: readonly string[]): Promise<Map<string, string>> {
  const { rows } = await pool().query<{ email: string; reason: string }>({
    name: "emails.suppressed",
    text: "SELECT email, reason FROM suppressions WHERE project_id = $1 AND email = ANY ($2)",
    values: [scope.project.id, canonical],
  })
  return new Map(rows.map(({ email, reason }) => [email, reason]))
}

/** Which of these canonical addresses are out of the topic, and the sentence that says so. */
export async function findOptedOut(
  scope: Scope,
  topicId: string,
  canonical: readonly string[],
): Promise<Map<string, string>> {
  const { rows } = await pool().query<{ email: string; name: string; default_subscription: Subscription }>({
    name: "emails.opted_out",
    text: `SELECT given.email, t.name, t.default_subscription FROM topics t, unnest($3::text[]) AS given(email)
      WHERE t.project_id = $1 AND t.id = $2 AND left_topic($1, $2, given.email)`,
    values: [scope.project.id, topicId, canonical],
  })
  return new Map(
    rows.map(({ email, name, default_subscription: byDefault }) => [email, topicOptOutSentence({ name, byDefault })]),
  )
}
