import { type EmailRow, emailShape, toEmail } from "@/lib/emails/data"
import { areRare, conditions, type Conditions, type EmailFilter } from "@/lib/emails/log/filter"
import { emailStatuses } from "@/lib/emails/message-rules"
import type { Email, EmailCounts } from "@/lib/emails/schema"
import { matchesMax, search, searchEmails } from "@/lib/emails/search/data"
import { wordsOf } from "@/lib/emails/search/rules"
import { countUpTo } from "@/lib/platform/database/bounded-reads-sql"
import { pool, prepared } from "@/lib/platform/database/db"
import { db } from "@/lib/platform/database/scoped-db"
import { columnsOf } from "@/lib/platform/database/shape"
import { sharedRead } from "@/lib/platform/jobs/batches"
import { offset, type PageRequest } from "@/lib/platform/http/paging"
import type { Scope } from "@/lib/platform/http/scope"
import { instantOf } from "@/lib/platform/ids"
import { countAcceptedEmails } from "@/lib/projects/quota/data"

// On `pg`: lists over this large table page by key and are counted up to a bound.

const columns = columnsOf(emailShape, "e")

/** Filtered lists are counted up to here. */
const listedCountMax = 10_000

export type Listed = {
  /** Of a filter, one more than the page holds where there are more. */
  data: Email[]
  total: number
  /** There are more than `total`. */
  totalIsMinimum?: true
  /** A search that ran out of time has looked at the emails since then. */
  searchedTo?: Date
}

/**
 * Emails without bodies, newest first. The total of all is a counter; of a filter it stops at 10,000.
 */
export async function readEmails(scope: Scope, filter: EmailFilter, request: PageRequest): Promise<Listed> {
  if (filter.search !== undefined) return listFound(scope, filter, request)
  const chosen = conditions(scope, filter)
  if (isWalked(filter)) return listByWalk(scope, filter, request)
  const isAll = isUnfiltered(filter)
  if (isAll && request.page === 1) return firstPage(scope, request.size)
  const [data, total] = await Promise.all([
    readSlice(chosen, request.size + 1, offset(request)),
    isAll ? countAcceptedEmails(scope) : countUpTo(listedCountMax, `emails e WHERE ${chosen.where}`, chosen.values),
  ])
  return { data, total }
}

/** Whether a page reads little, however many emails there are: one near the newest email, without a filter. */
export function readsLittle(filter: EmailFilter, request: PageRequest): boolean {
  return isUnfiltered(filter) && offset(request) < listedCountMax
}

function isUnfiltered(filter: EmailFilter): boolean {
  return Object.values(filter).every((each) => each === undefined)
}

/** The most-read page. Concurrent requests for it, as from several people who watch a project, share one statement. */
async function firstPage(scope: Scope, size: number): Promise<Listed> {
  return (await firstPages(scope.project.id, String(size))) ?? { data: [], total: await countAcceptedEmails(scope) }
}

const firstPages = sharedRead<Listed>(async (projectId, sizes) => {
  const pages = await Promise.all(sizes.map((size) => readFirstPage(projectId, Number(size))))
  return new Map(pages.flatMap((page, at) => (page ? [[sizes[at] ?? "", page]] : [])))
})

/** Page and total in one statement; null for an empty one, which has no row for the total. */
async function readFirstPage(projectId: string, size: number): Promise<Listed | null> {
  const { rows } = await pool().query<EmailRow & { total: string }>(
    prepared(
      `SELECT ${columns}, (SELECT a.emails FROM send_allowances a WHERE a.project_id = $1)
          + coalesce((SELECT sum(c.emails) FROM allowance_chunks c WHERE c.project_id = $1), 0) AS total
        FROM emails e WHERE e.project_id = $1 ORDER BY e.id DESC LIMIT ${size}`,
      [projectId],
    ),
  )
  return rows[0] ? { data: rows.map(({ total: _, ...row }) => toEmail(row)), total: Number(rows[0].total) } : null
}

/**
 * Emails under these conditions, which name the project, newest first. Those that are skipped are read in the index alone.
 */
async function readSlice({ where, values }: Conditions, take: number, skip = 0): Promise<Email[]> {
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
  const behind = first + request.size + 1
  const shown: string[] = []
  let total = 0
  for await (const window of eachWindow(scope, filter)) {
    const ids = await findIds(within(conditions(scope, filter), window))
    shown.push(...ids.slice(Math.max(0, first - total), Math.max(0, behind - total)))
    total += ids.length
    if (total >= Math.max(listedCountMax, behind)) break
  }
  return { data: await emailsOf(scope, shown), total: Math.min(total, listedCountMax) }
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
    const group: Email[] = await readSlice(within(chosen, { first: null, behind }), exportStep)
    if (group.length) yield group
    behind = group.at(-1)?.id ?? null
    if (group.length < exportStep) return
  }
}

/** Emails that are counted: some forty milliseconds. */
const countedByStatusMax = 25_000

/** By status, in the order of an email's life, of the newest emails that pass the filter. */
export async function countByStatus(scope: Scope, filter: EmailFilter): Promise<EmailCounts> {
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

/** The conditions name the project. */
async function countNewest(scope: Scope, filter: EmailFilter): Promise<Counts> {
  const { where, values } = conditions(scope, filter)
  const { rows } = await pool().query<{ status: string; count: number }>(
    `SELECT newest.status, count(*)::int AS count FROM (
        SELECT e.status FROM emails e WHERE ${where} ORDER BY e.id DESC LIMIT ${countedByStatusMax}
      ) newest GROUP BY newest.status`,
    values,
  )
  const counted = rows.reduce((sum, { count }) => sum + count, 0)
  return { counts: new Map(rows.map(({ status, count }) => [status, count])), complete: counted < countedByStatusMax }
}

// Walks over every email of a project

/** Emails that one statement of a walk reads: some 30 ms. */
const windowEmails = 20_000

/** Neighbouring emails in the order of their ids: from `first` on, before `behind`; without bounds where these are null. */
export type LogWindow = { first: string | null; behind: string | null }

/**
 * Whether a filter reads every email of the project. An index over parts of subjects and senders would double what
 * storing an email costs, and one over the status triple each change of it.
 */
function isWalked({ statuses, from, subject, ...others }: EmailFilter): boolean {
  const { recipient, topicId, broadcastId, tag, between, ids } = others
  const isNarrow = [recipient, topicId, broadcastId, tag, between, ids].some((each) => each !== undefined)
  const isCommon = statuses !== undefined && !areRare(statuses)
  return !isNarrow && (from !== undefined || subject !== undefined || isCommon)
}

/** Ids of emails under these conditions, which name the project, newest first. */
async function findIds({ where, values }: Conditions, skip = 0, take: number | null = null): Promise<string[]> {
  const { rows } = await pool().query<{ id: string }>(
    `SELECT e.id FROM emails e WHERE ${where} ORDER BY e.id DESC OFFSET $${values.length + 1} LIMIT $${values.length + 2}`,
    [...values, skip, take],
  )
  return rows.map(({ id }) => id)
}

/** The windows of a project's emails between the times of a filter, newest first. */
async function* eachWindow(scope: Scope, { after, before }: EmailFilter): AsyncGenerator<LogWindow> {
  const between = conditions(scope, { after, before })
  let behind: string | null = null
  for (;;) {
    const [first = null]: (string | null)[] = await findIds(
      within(between, { first: null, behind }),
      windowEmails - 1,
      1,
    )
    yield { first, behind }
    if (first === null) return
    behind = first
  }
}

/** These conditions in one window. */
function within({ where, values }: Conditions, { first, behind }: LogWindow): Conditions {
  const all = [...values]
  const bound = (operator: string, id: string | null) => (id === null ? "" : ` AND e.id ${operator} $${all.push(id)}`)
  return { where: where + bound(">=", first) + bound("<", behind), values: all }
}
