import type { Email } from "@/lib/emails/schema"
import { emailShape, toEmail, type EmailRow } from "@/lib/emails/store"
import { conditions, type Conditions, type EmailFilter } from "@/lib/emails/log-conditions-sql"
import { eachWindow, idsOf, isWalked, within } from "@/lib/emails/log-windows-sql"
import { wordsOf } from "@/lib/emails/search/fold-rules"
import { search } from "@/lib/emails/search/search"
import { searchEmails } from "@/lib/emails/search/search-sql"
import { instantOf } from "@/lib/platform/ids"
import { countUpTo } from "@/lib/platform/database/count-sql"
import { pool } from "@/lib/platform/database/db"
import { prepared } from "@/lib/platform/database/prepared"
import { db } from "@/lib/platform/database/scoped-db"
import { columnsOf } from "@/lib/platform/database/shape"
import { sharedRead } from "@/lib/platform/database/shared-reads"
import { offset, type PageRequest } from "@/lib/platform/http/paging"
import type { Scope } from "@/lib/platform/http/scope"

const columns = columnsOf(emailShape, "e")

/** Filtered lists are counted up to here. */
const countedMax = 10_000

export type Listed = {
  data: Email[]
  total: number
  /** There are more than `total`. */
  totalIsMinimum?: true
  /** A search that ran out of time has looked at the emails since then. */
  searchedTo?: Date
}

/**
 * Emails without bodies, newest first. The total of all is a counter; of a filter it stops at 10,000. On `pg`, as is every
 * list over this large table.
 */
export async function listEmails(scope: Scope, filter: EmailFilter, request: PageRequest): Promise<Listed> {
  if (filter.search !== undefined) return listFound(scope, filter, request)
  const chosen = conditions(scope, filter)
  if (isWalked(filter)) return listByWalk(scope, filter, request)
  const isAll = chosen.values.length === 1
  if (isAll && request.page === 1) return firstPage(scope, request.size)
  const [data, total] = await Promise.all([
    slice(chosen, request.size, offset(request)),
    isAll ? countAll(scope) : countUpTo(countedMax, `emails e WHERE ${chosen.where}`, chosen.values),
  ])
  return { data, total }
}

/** The most-read page. Concurrent requests for it, as from several people who watch a project, share one statement. */
async function firstPage(scope: Scope, size: number): Promise<Listed> {
  return (await firstPages(scope.project.id, String(size))) ?? { data: [], total: await countAll(scope) }
}

const firstPages = sharedRead<Listed>(async (projectId, sizes) => {
  const pages = await Promise.all(sizes.map((size) => readFirstPage(projectId, Number(size))))
  return new Map(pages.flatMap((page, at) => (page ? [[sizes[at] ?? "", page]] : [])))
})

/** Page and total in one statement; null for an empty one, which has no row for the total. */
async function readFirstPage(projectId: string, size: number): Promise<Listed | null> {
  const { rows } = await pool().query<EmailRow & { total: string }>(
    prepared(
      `SELECT ${columns}, (SELECT a.emails FROM send_allowances a WHERE a.project_id = $1) AS total
        FROM emails e WHERE e.project_id = $1 ORDER BY e.id DESC LIMIT ${size}`,
      [projectId],
    ),
  )
  return rows[0] ? { data: rows.map(({ total: _, ...row }) => toEmail(row)), total: Number(rows[0].total) } : null
}

/**
 * Emails under these conditions, which name the project, newest first. Those that are skipped are read in the index alone.
 */
async function slice({ where, values }: Conditions, take: number, skip = 0): Promise<Email[]> {
  const { rows } = await pool().query<EmailRow>(
    `SELECT ${columns} FROM emails e JOIN (
        SELECT e.id FROM emails e WHERE ${where} ORDER BY e.id DESC LIMIT $${values.length + 1} OFFSET $${values.length + 2}
      ) listed ON listed.id = e.id ORDER BY e.id DESC`,
    [...values, take, skip],
  )
  return rows.map((row) => toEmail(row))
}

/** Page and total of one walk, whose statements are short however many emails there are. */
async function listByWalk(
  scope: Scope,
  filter: EmailFilter,
  request: PageRequest,
): Promise<{ data: Email[]; total: number }> {
  const first = offset(request)
  const shown: string[] = []
  let total = 0
  for await (const window of eachWindow(scope, filter)) {
    const ids = await idsOf(within(conditions(scope, filter), window))
    shown.push(...ids.slice(Math.max(0, first - total), Math.max(0, first + request.size - total)))
    total += ids.length
    if (total >= Math.max(countedMax, first + request.size)) break
  }
  return { data: await emailsOf(scope, shown), total: Math.min(total, countedMax) }
}

/** A page of what a search finds. One match more than the page holds tells whether there is another page. */
async function listFound(scope: Scope, filter: EmailFilter, request: PageRequest): Promise<Listed> {
  const first = offset(request)
  const { matches, complete, reached } = await search(scope, filter, first + request.size + 1)
  const shown = matches.slice(first, first + request.size).map(({ id }) => id)
  return {
    data: await emailsOf(scope, shown),
    total: matches.length,
    ...(complete ? {} : { totalIsMinimum: true as const }),
    ...(reached === null ? {} : { searchedTo: instantOf(reached) }),
  }
}

async function emailsOf(scope: Scope, ids: string[]): Promise<Email[]> {
  const rows = await db(scope).email.findMany({
    where: { id: { in: ids } },
    select: emailShape,
    orderBy: { id: "desc" },
  })
  return rows.map((row) => toEmail(row))
}

/** A counter, whatever the number. */
async function countAll(scope: Scope): Promise<number> {
  const counted = await db(scope).sendAllowance.findFirst({ select: { emails: true } })
  return Number(counted?.emails ?? 0)
}

/** Emails of one step of an export: bounds its memory, as the next step is read when the reader has taken this one. */
const exportStep = 500

/**
 * The same emails as the list, newest first, in groups that are read one after the other; without bodies. No statement takes
 * long: where a filter has no index, a group holds what a window of emails has of it, which may be nothing.
 */
export async function* eachEmail(scope: Scope, filter: EmailFilter): AsyncGenerator<Email[]> {
  if (filter.search !== undefined) return yield* eachFound(scope, filter)
  const chosen = conditions(scope, filter)
  if (!isWalked(filter)) return yield* eachGroup(chosen)
  for await (const window of eachWindow(scope, filter)) {
    let found = false
    for await (const group of eachGroup(within(chosen, window))) {
      found = true
      yield group
    }
    // A client that waits for matches sees that the export is still running, and can disconnect.
    if (!found) yield []
  }
}

async function* eachFound(scope: Scope, filter: EmailFilter): AsyncGenerator<Email[]> {
  for await (const { matches } of searchEmails(scope, wordsOf(filter.search ?? ""), filter)) {
    const ids = matches.map(({ id }) => id)
    for (let at = 0; at < ids.length; at += exportStep) yield emailsOf(scope, ids.slice(at, at + exportStep))
    if (ids.length === 0) yield []
  }
}

async function* eachGroup(chosen: Conditions): AsyncGenerator<Email[]> {
  let behind: string | null = null
  for (;;) {
    const group: Email[] = await slice(within(chosen, { first: null, behind }), exportStep)
    if (group.length) yield group
    behind = group.at(-1)?.id ?? null
    if (group.length < exportStep) return
  }
}
