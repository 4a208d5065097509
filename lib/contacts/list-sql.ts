import { audienceCounts, existingSegments, readSegments } from "@/lib/segments/data"
import type { Contact } from "@/lib/contacts/schema"
import { choiceOf, type Choice, type ContactFilter, type ResolvedFilter } from "@/lib/contacts/list-choice-sql"
import { contactsOf, newestContacts } from "@/lib/contacts/read-sql"
import { cursorSlice, type CursorSlice } from "@/lib/platform/http/cursor-page"
import type { CursorPosition } from "@/lib/platform/http/cursors"
import { countUpTo } from "@/lib/platform/database/count-sql"
import { pool } from "@/lib/platform/database/db"
import { offset, type PageRequest } from "@/lib/platform/http/paging"
import type { Scope } from "@/lib/platform/http/scope"
import { readTopics, topicDefault } from "@/lib/topics/data"

/** Totals without a stored count stop here. */
export const countedMax = 10_000

/** A page of contacts, newest first, of all or of those that match every filter. */
export async function listContacts(
  scope: Scope,
  filter: ContactFilter,
  request: PageRequest,
): Promise<{ data: Contact[]; total: number }> {
  if (request.page === 1 && isOfAll(filter)) {
    const [data, counts] = await Promise.all([newestContacts(scope, request.size), audienceCounts(scope.project.id)])
    return { data, total: counts.contacts }
  }
  const resolved = await resolve(scope, filter)
  if (!resolved) return { data: [], total: 0 }
  const choice = choiceOf(scope.project.id, resolved)
  const stored = await storedTotal(scope.project.id, resolved)
  const total = stored ?? (await boundedTotal(choice))
  const ids = await pageOf(choice, request, { total, exact: stored !== null || total < countedMax })
  return { data: await contactsOf(scope, ids), total }
}

function isOfAll(filter: ContactFilter): boolean {
  return Object.values(filter).every((value) => value === undefined)
}

/** The contacts beside a position in the list, and how many there are in all. */
export async function readContacts(
  scope: Scope,
  filter: ContactFilter,
  position: CursorPosition,
  size: number,
): Promise<{ slice: CursorSlice<Contact>; total: number }> {
  const resolved = await resolve(scope, filter)
  if (!resolved) return { slice: { rows: [], before: false, after: false }, total: 0 }
  const choice = choiceOf(scope.project.id, resolved)
  const stored = await storedTotal(scope.project.id, resolved)
  const total = stored ?? (await boundedTotal(choice))
  const { on, back, order } = ways[position.direction]
  const at = `$${choice.values.length + 1}::uuid`
  const beyond = {
    ...choice,
    where: [...choice.where, `${choice.key} ${on} ${at}`],
    values: [...choice.values, position.key],
  }
  const few = choice.searched && (stored !== null || total < countedMax)
  const [ids, beside] = await Promise.all([
    idsOf(beyond, { order, size: size + 1, few }),
    idsOf({ ...beyond, where: [...choice.where, `${choice.key} ${back} ${at}`] }, { order: null, size: 1 }),
  ])
  const { rows, ...sides } = cursorSlice(position, size, ids, beside.length > 0)
  return { slice: { rows: await contactsOf(scope, rows), ...sides }, total }
}

const ways = {
  next: { on: "<", back: ">=", order: "DESC" },
  previous: { on: ">", back: "<=", order: "ASC" },
} as const

/** Contacts of one group of an export. */
const groupSize = 250

/**
 * Every contact that matches the filter, newest first, with its own properties and without fallbacks: a group is
 * read once the one before has been taken.
 */
export async function* eachContact(scope: Scope, filter: ContactFilter): AsyncGenerator<Contact[]> {
  const resolved = await resolve(scope, filter)
  if (!resolved) return
  const choice = choiceOf(scope.project.id, resolved)
  const { key, where, values } = choice
  const beyond = [...where, `${key} < $${values.length + 1}`]
  for (let last: string | null = null; ;) {
    const rest: Choice = last ? { ...choice, where: beyond, values: [...values, last] } : choice
    const ids = await idsOf(rest, { order: "DESC", size: groupSize })
    last = ids.at(-1) ?? null
    if (last) yield await contactsOf(scope, ids, "own")
    if (ids.length < groupSize) return
  }
}

/** Null where the segment or topic is none of the project's, or a deleted one whose rows are still being removed. */
async function resolve(scope: Scope, filter: ContactFilter): Promise<ResolvedFilter | null> {
  const { segmentId, topicId } = filter
  if (segmentId !== undefined && !(await existingSegments(scope.project.id, [segmentId])).size) return null
  const byDefault = topicId === undefined ? "opt_out" : await topicDefault(scope.project.id, topicId)
  return byDefault && { ...filter, byDefault }
}

/** The exact total where a counter holds it: of all, of the unsubscribed or not, of one segment or topic. */
async function storedTotal(projectId: string, { byDefault: _, ...filter }: ResolvedFilter): Promise<number | null> {
  const given = Object.entries(filter).flatMap(([key, value]) => (value === undefined ? [] : [key]))
  const { segmentId, topicId, unsubscribed } = filter
  if (given.length > 1 || given.includes("email") || given.includes("search")) return null
  if (segmentId !== undefined) return (await readSegments(projectId, [segmentId])).get(segmentId)?.contactCount ?? 0
  if (topicId !== undefined) return (await readTopics(projectId, [topicId])).get(topicId)?.effectiveCount ?? 0
  const counts = await audienceCounts(projectId)
  if (unsubscribed === undefined) return counts.contacts
  return unsubscribed ? counts.unsubscribed : counts.contacts - counts.unsubscribed
}

function boundedTotal({ from, lead, where, values }: Choice): Promise<number> {
  return countUpTo(countedMax, `${from} WHERE ${lead}.project_id = $1 ${and(where)}`, values)
}

/** The ids of a page. The second half is read from the end, so that the last page costs what the first does. */
async function pageOf(
  choice: Choice,
  request: PageRequest,
  { total, exact }: { total: number; exact: boolean },
): Promise<string[]> {
  const skip = offset(request)
  if (skip >= total) return []
  const size = Math.min(request.size, total - skip)
  const few = choice.searched && exact
  if (few || !exact || skip <= total / 2) return idsOf(choice, { order: "DESC", size, skip, few })
  return (await idsOf(choice, { order: "ASC", size, skip: total - skip - size })).reverse()
}

type Wanted = { order: "ASC" | "DESC" | null; size: number; skip?: number; few?: boolean }

/** On `pg`, as keyset lists over large tables are. */
async function idsOf(
  { from, lead, key, where, values }: Choice,
  { order, size, skip = 0, few = false }: Wanted,
): Promise<string[]> {
  // Few matches are found by the search index and sorted; a walk from the newest would read all other contacts.
  const found = `found AS ${few ? "MATERIALIZED" : "NOT MATERIALIZED"}`
  const { rows } = await pool().query<{ id: string }>(
    `WITH ${found} (SELECT ${key} AS id FROM ${from} WHERE ${lead}.project_id = $1 ${and(where)})
      SELECT id FROM found ${order ? `ORDER BY id ${order}` : ""} LIMIT ${size} OFFSET ${skip}`,
    values,
  )
  return rows.map(({ id }) => id)
}

const and = (conditions: readonly string[]) => conditions.map((condition) => `AND ${condition}`).join(" ")
