import type { Subscription } from "@/lib/consent/rules"
import { type DeclaredProperties, declaredProperties } from "@/lib/contact-properties/data"
import { eachField, shownProperties } from "@/lib/contacts/rules"
import type { Contact, SegmentContact } from "@/lib/contacts/schema"
import { countUpTo } from "@/lib/platform/database/bounded-reads-sql"
import { type Connection, pool, prepared, rowsOf } from "@/lib/platform/database/db"
import { columnsOf, shown } from "@/lib/platform/database/shape"
import { env } from "@/lib/platform/env/env"
import { sharedRead } from "@/lib/platform/jobs/batches"
import { cursorSlice, type CursorSlice, type CursorPosition } from "@/lib/platform/http/cursors"
import { offset, type PageRequest } from "@/lib/platform/http/paging"
import type { Scope } from "@/lib/platform/http/scope"
import { present } from "@/lib/platform/schema"
import { escapeLike } from "@/lib/platform/format"
import { audienceCounts, existingSegments, readSegments, visibleMembership } from "@/lib/segments/data"
import { pageOfMembers, readTopics, topicDefault } from "@/lib/topics/data"
import { Prisma } from "@/prisma/generated/client"

// On `pg`: lists and exports read the segments and topics of a page in one statement, where Prisma would take three, and page
// by key over a large table.

const shape = {
  id: true,
  projectId: true,
  email: true,
  firstName: true,
  lastName: true,
  phone: true,
  imageUrl: true,
  imageKey: true,
  properties: true,
  unsubscribed: true,
  validationStatus: false,
  validationReason: false,
  validatedAt: false,
  engagementScore: false,
  engagementTier: false,
  scoredAt: false,
  createdAt: true,
  updatedAt: true,
} as const satisfies Record<Prisma.ContactScalarFieldEnum, boolean>

type Row = Prisma.ContactGetPayload<{ select: typeof shape }> & {
  segments: string[]
  topics: Contact["topics"]
}

const columns = `${columnsOf(shape, "c")},
  ARRAY(SELECT m.segment_id FROM segment_members m
    WHERE m.project_id = c.project_id AND m.contact_id = c.id AND ${visibleMembership("m")} ORDER BY m.segment_id) AS segments,
  coalesce((SELECT jsonb_agg(jsonb_build_object('subscription', p.subscription, 'topicId', p.topic_id) ORDER BY p.topic_id)
    FROM topic_preferences p JOIN topics t ON t.project_id = p.project_id AND t.id = p.topic_id AND t.deleted_at IS NULL
    WHERE p.project_id = c.project_id AND p.contact_id = c.id), '[]') AS topics`

export function findContact(scope: Scope, id: string): Promise<Contact | null> {
  return findShared(scope.project.id, id)
}

const findShared = sharedRead<Contact>(async (projectId, ids) => {
  const [rows, declared] = await Promise.all([read(projectId, ids), declaredProperties(projectId)])
  return new Map(rows.map((row) => [row.id, withOwn(row, declared)]))
})

/** The same as the transaction that holds its lock leaves it, before another one changes it. */
export async function findContactIn(scope: Scope, id: string, tx: Connection): Promise<Contact | null> {
  const [row] = await read(scope.project.id, [id], tx)
  return row ? withOwn(row, await declaredProperties(scope.project.id, tx)) : null
}

function withOwn(row: Row, declared: DeclaredProperties): Contact {
  return {
    ...toContact(row, declared),
    ownProperties: Object.keys(propertiesIn(row)).filter((key) => declared.has(key)),
  }
}

/** Contacts by their ids, newest first; as "own", without the fallbacks of properties. */
async function contactsOf(
  scope: Scope,
  ids: readonly string[],
  properties: "shown" | "own" = "shown",
): Promise<Contact[]> {
  if (!ids.length) return []
  const [rows, declared] = await Promise.all([read(scope.project.id, ids), declaredProperties(scope.project.id)])
  const applied =
    properties === "shown" ? declared : new Map([...declared].map(([key, { type }]) => [key, { type, fallback: null }]))
  return rows.map((row) => toContact(row, applied))
}

/** The newest contacts: what a list shows first, without asking for their ids before. */
async function newestContacts(scope: Scope, size: number): Promise<Contact[]> {
  return (await newestShared(scope.project.id, String(size))) ?? []
}

const newestShared = sharedRead<Contact[]>(async (projectId, sizes) => {
  const [declared, ...pages] = await Promise.all([
    declaredProperties(projectId),
    ...sizes.map((size) => readNewest(projectId, Number(size))),
  ])
  return new Map(pages.map((rows, at) => [sizes[at] ?? "", rows.map((row) => toContact(row, declared))]))
})

async function readNewest(projectId: string, size: number): Promise<Row[]> {
  const newest = `(SELECT * FROM contacts WHERE project_id = $1 ORDER BY id DESC LIMIT ${size})`
  const { rows } = await pool().query<Row>(
    prepared(`SELECT ${columns} FROM ${newest} c ORDER BY c.id DESC`, [projectId]),
  )
  return rows
}

async function read(projectId: string, ids: readonly string[], on: Connection = pool()): Promise<Row[]> {
  return rowsOf<Row>(
    on,
    Prisma.sql`SELECT ${Prisma.raw(columns)} FROM contacts c
      WHERE c.project_id = ${projectId}::uuid AND c.id = ANY (${ids}::uuid[]) ORDER BY c.id DESC`,
    { often: true },
  )
}

function toContact({ imageKey, imageUrl, ...row }: Row, declared: DeclaredProperties): Contact {
  return shown<Contact>()({
    ...row,
    ...eachField((field) => present(row[field])),
    object: "contact",
    profileImageUrl: imageKey ? pictureUrl(imageKey) : present(imageUrl),
    properties: shownProperties(propertiesIn(row), declared),
    ownProperties: undefined,
  })
}

/** Where an uploaded picture is seen: on our own origin, whatever the store is. */
function pictureUrl(key: string): string {
  return `${env().baseUrl}/files/${key}`
}

/** Only texts by key are ever written. */
function propertiesIn(row: { properties: Prisma.JsonValue }): Record<string, string> {
  return row.properties as Record<string, string>
}

/** Totals without a stored count stop here. */
export const countedContactsMax = 10_000

/**
 * A page of contacts, newest first, of all or of those that match every filter. Where the total stops at its bound, one contact
 * more than the page holds tells that there are more.
 */
export async function readContactPage(
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
  const ids = await pageOf(choice, request, { total, exact: stored !== null || total < countedContactsMax })
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
  const few = choice.searched && (stored !== null || total < countedContactsMax)
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
  return countUpTo(countedContactsMax, `${from} WHERE ${lead}.project_id = $1 ${and(where)}`, values)
}

/**
 * The ids of a page, and of the contact behind it where the total does not tell whether there is one. With an exact total the second
 * half is read from the end, so that the last page costs what the first does.
 */
async function pageOf(
  choice: Choice,
  request: PageRequest,
  { total, exact }: { total: number; exact: boolean },
): Promise<string[]> {
  const skip = offset(request)
  if (!exact) return idsOf(choice, { order: "DESC", size: request.size + 1, skip })
  if (skip >= total) return []
  const size = Math.min(request.size, total - skip)
  const few = choice.searched
  if (few || skip <= total / 2) return idsOf(choice, { order: "DESC", size, skip, few })
  return (await idsOf(choice, { order: "ASC", size, skip: total - skip - size })).reverse()
}

type Wanted = { order: "ASC" | "DESC" | null; size: number; skip?: number; few?: boolean }

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

export type ContactFilter = {
  /** Canonical form of the address. */
  email?: string
  search?: string
  segmentId?: string
  /** Who is in this topic, by a preference or by its default. */
  topicId?: string
  unsubscribed?: boolean
}

/** A filter with what its topic says of contacts without a preference. */
type ResolvedFilter = ContactFilter & { byDefault: Subscription }

/** The rows of a page: where they are, in which order, and what narrows them. */
type Choice = {
  from: string
  /** The alias of the table that leads; $1 is its project. */
  lead: "c" | "l"
  key: string
  where: string[]
  values: unknown[]
  searched: boolean
}

/** The rows to walk: the narrowest table leads, so that its index gives them in order. */
function choiceOf(projectId: string, filter: ResolvedFilter): Choice {
  const values: unknown[] = [projectId]
  const given = (value: unknown) => `$${values.push(value)}`
  const lead = leadOf(filter, given)
  const where = [...lead.where]
  if (filter.segmentId !== undefined && lead.by !== "segment") where.push(isMember(given(filter.segmentId)))
  if (filter.topicId !== undefined && lead.by !== "topic")
    where.push(isInTopic(given(filter.topicId), filter.byDefault))
  if (filter.email !== undefined) where.push(`c.email = ${given(filter.email)}`)
  if (filter.search !== undefined) where.push(`${searched} ILIKE ${given(`%${escapeLike(filter.search)}%`)}`)
  if (filter.unsubscribed !== undefined) where.push(filter.unsubscribed ? "c.unsubscribed" : "NOT c.unsubscribed")
  return { from: lead.from, lead: lead.alias, key: lead.key, where, values, searched: filter.search !== undefined }
}

/** The expression of the trigram index. */
const searched = "(c.email || ' ' || coalesce(c.first_name, '') || ' ' || coalesce(c.last_name, ''))"

const isMember = (id: string) =>
  `EXISTS (SELECT 1 FROM segment_members m WHERE m.project_id = $1 AND m.segment_id = ${id} AND m.contact_id = c.id AND m.origin <> 'removed')`
/** `topic_state` is opt_in, as a join, which reads a whole list in one go: in by default is who has not opted out. */
const isInTopic = (id: string, byDefault: Subscription) =>
  `${byDefault === "opt_in" ? "NOT " : ""}EXISTS (SELECT 1 FROM topic_preferences p WHERE p.project_id = $1 AND p.topic_id = ${id}
    AND p.contact_id = c.id AND p.subscription = '${byDefault === "opt_in" ? "opt_out" : "opt_in"}')`

function leadOf(filter: ResolvedFilter, given: (value: unknown) => string) {
  // Few are unsubscribed, and they have an index of their own, as addresses and words have.
  const byContact = filter.email !== undefined || filter.search !== undefined || filter.unsubscribed === true
  if (filter.segmentId !== undefined && !byContact) {
    const from = "segment_members l JOIN contacts c ON c.project_id = l.project_id AND c.id = l.contact_id"
    return {
      by: "segment",
      alias: "l" as const,
      from,
      key: "l.contact_id",
      where: [`l.segment_id = ${given(filter.segmentId)}`, "l.origin <> 'removed'"],
    }
  }
  if (filter.topicId !== undefined && filter.byDefault === "opt_out" && !byContact) {
    const from = "topic_preferences l JOIN contacts c ON c.project_id = l.project_id AND c.id = l.contact_id"
    return {
      by: "topic",
      alias: "l" as const,
      from,
      key: "l.contact_id",
      where: [`l.topic_id = ${given(filter.topicId)}`, "l.subscription = 'opt_in'"],
    }
  }
  return { by: "contacts", alias: "c", from: "contacts c", key: "c.id", where: [] } as const
}

const members = "segment_members WHERE project_id = $1 AND segment_id = $2 AND origin <> 'removed'"
const memberColumns = `c.email, c.first_name AS "firstName", c.last_name AS "lastName", ARRAY(
    SELECT o.segment_id FROM segment_members o
      WHERE o.project_id = $1 AND o.contact_id = m.contact_id AND ${visibleMembership("o")} ORDER BY o.segment_id
  ) AS segments`

type MemberRow = Omit<SegmentContact, "firstName" | "lastName"> & { firstName: string | null; lastName: string | null }

/** Members of a segment, newest contact first. */
export async function readMembers(
  scope: Scope,
  segmentId: string,
  position: CursorPosition | null,
  size: number,
): Promise<CursorSlice<SegmentContact>> {
  const page = await pageOfMembers<MemberRow>(
    scope,
    { from: members, id: segmentId, columns: memberColumns },
    position,
    size,
  )
  const named = (row: MemberRow) => ({ ...row, firstName: present(row.firstName), lastName: present(row.lastName) })
  return { ...page, rows: page.rows.map(named) }
}
