import { conditions, type EmailFilter } from "@/lib/emails/log-conditions-sql"
import { emailStatuses } from "@/lib/emails/message-rules"
import type { EmailCounts } from "@/lib/emails/schema"
import { matchesMax, search } from "@/lib/emails/search/search"
import { pool } from "@/lib/platform/database/db"
import type { Scope } from "@/lib/platform/http/scope"

/** Emails that are counted: some forty milliseconds. */
const countedMax = 25_000

/** By status, in the order of an email's life, of the newest emails that pass the filter. */
export async function countsOf(scope: Scope, filter: EmailFilter): Promise<EmailCounts> {
  const { counts, complete } = await (filter.search === undefined ? countNewest : countFound)(scope, filter)
  const statuses = emailStatuses.flatMap((status) => {
    const count = counts.get(status)
    return count ? [{ status, count }] : []
  })
  return { total: statuses.reduce((sum, { count }) => sum + count, 0), complete, statuses }
}

type Counts = { counts: Map<string, number>; complete: boolean }

async function countFound(scope: Scope, filter: EmailFilter): Promise<Counts> {
  const { matches, complete } = await search(scope, filter, matchesMax)
  const counts = new Map<string, number>()
  for (const { status } of matches) counts.set(status, (counts.get(status) ?? 0) + 1)
  return { counts, complete }
}

/** On `pg`, as is every list over this large table. The conditions name the project. */
async function countNewest(scope: Scope, filter: EmailFilter): Promise<Counts> {
  const { where, values } = conditions(scope, filter)
  const { rows } = await pool().query<{ status: string; count: number }>(
    `SELECT newest.status, count(*)::int AS count FROM (
        SELECT e.status FROM emails e WHERE ${where} ORDER BY e.id DESC LIMIT ${countedMax}
      ) newest GROUP BY newest.status`,
    values,
  )
  const counted = rows.reduce((sum, { count }) => sum + count, 0)
  return { counts: new Map(rows.map(({ status, count }) => [status, count])), complete: counted < countedMax }
}
