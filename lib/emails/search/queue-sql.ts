import type { Searched } from "@/lib/emails/search/rules"
import type { Queryable } from "@/lib/platform/database/db"
import { columnsOf } from "@/lib/platform/database/shape"

const shape = {
  ...{ id: true, status: true, fromHeader: true, toHeaders: true, ccHeaders: true, bccHeaders: true },
  ...{ subject: true, tags: true },
} as const

export type QueuedEmail = Searched & { id: string; status: string }

/**
 * Emails of a project, which is $1, that are not in the index of the search yet, in the order of their ids. On `pg`, like everything
 * that reads emails in such numbers.
 * @param which of the queue: in which order, how many, and whether they are locked
 * @param where a condition of the emails e
 */
export async function queuedEmails(
  { which, where }: { which: string; where: string },
  values: readonly unknown[],
  on: Queryable,
): Promise<QueuedEmail[]> {
  const { rows } = await on.query<QueuedEmail>(
    `SELECT ${columnsOf(shape, "e")}
      FROM (SELECT email_id FROM email_search_queue WHERE project_id = $1 ORDER BY email_id ${which}) q
      JOIN emails e ON e.id = q.email_id AND ${where} ORDER BY e.id`,
    [...values],
  )
  return rows
}
