import { existingSegments } from "@/lib/segments/manual-sql"
import type { Contact } from "@/lib/contacts/schema"
import { choiceOf, type Choice, type ContactFilter, type ResolvedFilter } from "@/lib/contacts/list-choice"
import { contactsOf } from "@/lib/contacts/read-sql"
import { sliceOf, type CursorSlice } from "@/lib/platform/http/cursor-page"
import type { CursorPosition } from "@/lib/platform/http/cursors"
import { pool } from "@/lib/platform/database/db"
import { offset, type PageRequest } from "@/lib/platform/http/paging"
import type { Scope } from "@/lib/platform/http/scope"
import { topicDefault } from "@/lib/topics/store"

/** Where no kept count answers, totals stop here. */
export const countedMax = 10_000

/** A page of contacts, newest first, of all or of those that every filter lets through. */
export async function listContacts(
  scope: Scope,
  filter: ContactFilter,
  request: PageRequest,
): Promise<{ data: Contact[]; total: number }> {
  const resolved = await resolve(scope, filter)
  if (!resolved) return { data: [], total: 0 }
  const choice = choiceOf(scope.project.id, resolved)
  const kept = await keptTotal(scope.project.id, resolved)
  const total = kept ?? (await boundedTotal(choice))
  const ids = await idsOf(choice, request, { total, exact: kept !== null || total < countedMax })
  return { data: await contactsOf(scope, ids), total }
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
  const kept = await keptTotal(scope.project.id, resolved)
  const total = kept ?? (await boundedTotal(choice))
  const { on, back, order } = ways[position.direction]
  const at = `$${choice.values.length + 1}::uuid`
  const beyond = {
    ...choice,
    where: [...choice.where, `${choice.key} ${on} ${at}`],
    values: [...choice.values, position.key],
  }
  const few = choice.searched && (kept !== null || total < countedMax)
  const [ids, beside] = await Promise.all([
    idsBy(beyond, (few ? gather : walk)(beyond, order, size + 1, 0)),
    idsBy(
      beyond,
      `SELECT ${choice.key} AS id FROM ${choice.from} WHERE ${[...choice.where, `${choice.key} ${back} ${at}`].join(" AND ")} LIMIT 1`,
    ),
  ])
  const { rows, ...sides } = sliceOf(position, size, ids, beside.length > 0)
  return { slice: { rows: await contactsOf(scope, rows), ...sides }, total }
}

const ways = {
  next: { on: "<", back: ">=", order: "DESC" },
  previous: { on: ">", back: "<=", order: "ASC" },
} as const

/** Contacts of one group of an export. */
const groupSize = 1_000

/**
 * Everybody whom the filter lets through, newest first, with the properties of their own, fallbacks left out: a group is
 * read once the one before has been taken.
 */
export async function* eachContact(scope: Scope, filter: ContactFilter): AsyncGenerator<Contact[]> {
  const resolved = await resolve(scope, filter)
  if (!resolved) return
  const { from, key, where, values } = choiceOf(scope.project.id, resolved)
  const beyond = `AND ${key} < $${values.length + 1}`
  for (let last: string | null = null; ;) {
    const { rows }: { rows: { id: string }[] } = await pool().query(
      `SELECT ${key} AS id FROM ${from} WHERE ${where.join(" AND ")} ${last ? beyond : ""} ORDER BY ${key} DESC LIMIT ${groupSize}`,
      last ? [...values, last] : values,
    )
    const ids = rows.map(({ id }) => id)
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
async function keptTotal(projectId: string, { byDefault, ...filter }: ResolvedFilter): Promise<number | null> {
  const [name, ...more] = Object.entries(filter).flatMap(([key, value]) => (value === undefined ? [] : [key]))
  if (more.length || name === "email" || name === "search") return null
  const sums: Record<string, [sql: string, id?: string]> = {
    segmentId: [
      "SELECT s.contact_count + w.included AS total FROM segments s, waiting_counts(s.id) w WHERE s.project_id = $1 AND s.id = $2",
      filter.segmentId,
    ],
    topicId: [byDefault === "opt_in" ? inByDefault : optedIn, filter.topicId],
    unsubscribed: [
      ofProject(
        filter.unsubscribed ? "a.unsubscribed + w.opposed" : "a.contacts + w.included - a.unsubscribed - w.opposed",
      ),
    ],
  }
  const [sql, id] = sums[name ?? ""] ?? [ofProject("a.contacts + w.included")]
  const { rows } = await pool().query<{ total: number }>(sql, id === undefined ? [projectId] : [projectId, id])
  return rows[0]?.total ?? 0
}

const optedIn =
  "SELECT t.opt_in_count + w.included AS total FROM topics t, waiting_counts(t.id) w WHERE t.project_id = $1 AND t.id = $2"
const inByDefault = `SELECT coalesce(a.contacts, 0) + c.included - t.opt_out_count - w.opposed AS total
  FROM topics t CROSS JOIN waiting_counts($2) w CROSS JOIN waiting_counts($1) c LEFT JOIN audience_totals a ON a.project_id = $1
  WHERE t.project_id = $1 AND t.id = $2`

const ofProject = (sum: string) =>
  `SELECT ${sum} AS total FROM waiting_counts($1) w, (SELECT coalesce(sum(contacts), 0)::int AS contacts,
    coalesce(sum(unsubscribed), 0)::int AS unsubscribed FROM audience_totals WHERE project_id = $1) a`

async function boundedTotal({ from, where, values }: Choice): Promise<number> {
  const { rows } = await pool().query<{ total: number }>(
    `SELECT count(*)::int AS total FROM (SELECT 1 FROM ${from} WHERE ${where.join(" AND ")} LIMIT ${countedMax}) AS counted`,
    values,
  )
  return rows[0]?.total ?? 0
}

/** The ids of a page. The second half is read from the end, so that the last page costs what the first does. */
async function idsOf(
  choice: Choice,
  request: PageRequest,
  { total, exact }: { total: number; exact: boolean },
): Promise<string[]> {
  const skip = offset(request)
  if (skip >= total) return []
  const size = Math.min(request.size, total - skip)
  if (choice.searched && exact) return idsBy(choice, gather(choice, "DESC", size, skip))
  if (!exact || skip <= total / 2) return idsBy(choice, walk(choice, "DESC", size, skip))
  return (await idsBy(choice, walk(choice, "ASC", size, total - skip - size))).reverse()
}

async function idsBy(choice: Choice, sql: string): Promise<string[]> {
  const { rows } = await pool().query<{ id: string }>(sql, choice.values)
  return rows.map(({ id }) => id)
}

const walk = ({ from, key, where }: Choice, order: "ASC" | "DESC", size: number, skip: number) =>
  `SELECT ${key} AS id FROM ${from} WHERE ${where.join(" AND ")} ORDER BY ${key} ${order} LIMIT ${size} OFFSET ${skip}`

/** Few matches are found by the search index and sorted; walking the newest first would pass by everybody else. */
const gather = ({ from, key, where }: Choice, order: "ASC" | "DESC", size: number, skip: number) =>
  `WITH found AS MATERIALIZED (SELECT ${key} AS id FROM ${from} WHERE ${where.join(" AND ")})
    SELECT id FROM found ORDER BY id ${order} LIMIT ${size} OFFSET ${skip}`
