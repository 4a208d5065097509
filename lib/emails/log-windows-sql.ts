import { areRare, conditions, type Conditions, type EmailFilter } from "@/lib/emails/log-conditions-sql"
import { pool } from "@/lib/platform/database/db"
import type { Scope } from "@/lib/platform/http/scope"

/** Emails that one statement of a walk reads: some 30 ms. */
const window = 20_000

/** Neighbouring emails in the order of their ids: from `first` on, before `behind`; without bounds where these are null. */
export type Window = { first: string | null; behind: string | null }

/**
 * Whether a filter reads every email of the project. An index over parts of subjects and senders would double what
 * storing an email costs, and one over the status triple each change of it.
 */
export function isWalked({ statuses, from, subject, ...others }: EmailFilter): boolean {
  const { recipient, topicId, broadcastId, tag, between, ids } = others
  const isNarrow = [recipient, topicId, broadcastId, tag, between, ids].some((each) => each !== undefined)
  const isCommon = statuses !== undefined && !areRare(statuses)
  return !isNarrow && (from !== undefined || subject !== undefined || isCommon)
}

/** Ids of emails under these conditions, which name the project, newest first. On `pg`, as is every list over this table. */
export async function idsOf({ where, values }: Conditions, skip = 0, take: number | null = null): Promise<string[]> {
  const { rows } = await pool().query<{ id: string }>(
    `SELECT e.id FROM emails e WHERE ${where} ORDER BY e.id DESC OFFSET $${values.length + 1} LIMIT $${values.length + 2}`,
    [...values, skip, take],
  )
  return rows.map(({ id }) => id)
}

/** The windows of a project's emails between the times of a filter, newest first. */
export async function* eachWindow(scope: Scope, { after, before }: EmailFilter): AsyncGenerator<Window> {
  const between = conditions(scope, { after, before })
  let behind: string | null = null
  for (;;) {
    const [first = null]: (string | null)[] = await idsOf(within(between, { first: null, behind }), window - 1, 1)
    yield { first, behind }
    if (first === null) return
    behind = first
  }
}

/** These conditions in one window. */
export function within({ where, values }: Conditions, { first, behind }: Window): Conditions {
  const all = [...values]
  const bound = (operator: string, id: string | null) => (id === null ? "" : ` AND e.id ${operator} $${all.push(id)}`)
  return { where: where + bound(">=", first) + bound("<", behind), values: all }
}
