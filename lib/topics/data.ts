import { changedFields, addAudit } from "@/lib/access/audit/data"
import { storedSubscription, type Subscription } from "@/lib/consent/rules"
import { removeOfTopic } from "@/lib/consent/data"
import type { Reason, ReasonFacts } from "@/lib/explanation/codes"
import { databaseTime } from "@/lib/platform/database/clock-sql"
import { type Connection, prepared, rowsOf, pool, unscoped } from "@/lib/platform/database/db"
import { takeLock } from "@/lib/platform/database/locks-sql"
import { db, type InProject, type ScopedDb } from "@/lib/platform/database/scoped-db"
import { columnsOf, shown } from "@/lib/platform/database/shape"
import { cursorSlice, type CursorSlice, type CursorPosition } from "@/lib/platform/http/cursors"
import { counted, type PageRequest, sliceOf } from "@/lib/platform/http/paging"
import type { Scope } from "@/lib/platform/http/scope"
import { encodeId, newId } from "@/lib/platform/ids"
import { withinBudget } from "@/lib/platform/jobs/turns"
import { present } from "@/lib/platform/schema"
import type { Topic, TopicContact } from "@/lib/topics/schema"
import { Prisma } from "@/prisma/generated/client"

export async function readTopicPage(scope: Scope, request: PageRequest): Promise<{ data: Topic[]; total: number }> {
  const where = { deletedAt: null }
  const { rows, total } = await counted(
    request,
    db(scope).topic.findMany({ where, select: { id: true }, orderBy: { id: "desc" }, ...sliceOf(request) }),
    () => db(scope).topic.count({ where }),
  )
  const ids = rows.map(({ id }) => id)
  const topics = await readTopics(scope.project.id, ids)
  return { data: ids.flatMap((id) => toTopic(topics.get(id)) ?? []), total }
}

export async function findTopic(scope: Scope, id: string, on: Connection = pool()): Promise<Topic | null> {
  return toTopic((await readTopics(scope.project.id, [id], on)).get(id))
}

/** The names of those of these topics that exist, by id. */
export async function topicNames(scope: InProject, ids: readonly string[]): Promise<Map<string, string>> {
  const rows = await db(scope).topic.findMany({
    where: { id: { in: [...ids] }, deletedAt: null },
    select: { id: true, name: true },
  })
  return new Map(rows.map(({ id, name }) => [id, name]))
}

export type TopicToAdd = { name: string; description?: string; defaultSubscription: Subscription; visibility: string }

/** Adds a topic; an empty description is none. */
export async function addTopic(scope: Scope, { description, ...required }: TopicToAdd): Promise<Topic> {
  const given = { ...required, ...(description && { description }) }
  // In one transaction: once others see the topic, they can delete it before it is read.
  return db(scope).$transaction(async (tx) => {
    const { id } = await tx.topic.create({ data: { id: newId(), ...given }, select: { id: true } })
    const topic = await findTopic(scope, id, tx)
    if (!topic) throw new Error(`The topic ${id} was added and is not there.`)
    const { name, ...changes } = given
    await addAudit(scope, { action: "topic.created", target: encodeId("top", id), name, changes }, tx)
    return topic
  })
}

export type TopicEdit = { name?: string; description?: string; visibility?: string }

/** Changes what is given; an empty description clears it. Null when there is no such topic. */
export async function changeTopic(scope: Scope, id: string, edit: TopicEdit): Promise<Topic | null> {
  const data = { ...edit, ...(edit.description === "" && { description: null }) }
  return db(scope).$transaction(async (tx) => {
    const before = await tx.topic.findUnique({
      where: { id, deletedAt: null },
      select: { name: true, description: true, visibility: true },
    })
    const { count } = await tx.topic.updateMany({ where: { id, deletedAt: null }, data })
    if (!before || !count) return null
    const entry = { action: "topic.updated", target: encodeId("top", id), name: edit.name ?? before.name } as const
    await addAudit(scope, { ...entry, changes: changedFields(before, data) }, tx)
    return findTopic(scope, id, tx)
  })
}

/**
 * Hides the topic at once; `removePreferences` removes its preferences. False when there is none.
 * @param followTopic what else changes with it, in the same transaction
 */
export async function hideTopic(
  scope: Scope,
  id: string,
  followTopic: (projectId: string, id: string, tx: ScopedDb) => Promise<void>,
): Promise<boolean> {
  return db(scope).$transaction(async (tx) => {
    // `fold_counts` changes topics and segments of all projects in one transaction: without this lock the two could deadlock.
    await takeLock("mailroom.fold_counts", tx)
    const data = { deletedAt: await databaseTime(tx) }
    const [hidden] = await tx.topic.updateManyAndReturn({
      where: { id, deletedAt: null },
      data,
      select: { name: true },
    })
    if (!hidden) return false
    await followTopic(scope.project.id, id, tx)
    await addAudit(scope, { action: "topic.deleted", target: encodeId("top", id), name: hidden.name }, tx)
    return true
  })
}

/** The default of a topic of the project; null where there is none. */
export async function topicDefault(projectId: string, id: string): Promise<Subscription | null> {
  const row = await db({ project: { id: projectId } }).topic.findUnique({
    where: { id, deletedAt: null },
    select: { defaultSubscription: true },
  })
  return row && storedSubscription(row.defaultSubscription)
}

/** Those of the ids that name topics of the project. */
export async function existingTopics(projectId: string, ids: readonly string[]): Promise<Set<string>> {
  if (!ids.length) return new Set()
  const rows = await db({ project: { id: projectId } }).topic.findMany({
    where: { id: { in: [...ids] }, deletedAt: null },
    select: { id: true },
  })
  return new Set(rows.map(({ id }) => id))
}

function toTopic(row: CountedTopic | undefined): Topic | null {
  return row ? shown<Topic>()({ ...row, object: "topic", description: present(row.description) }) : null
}

/** Rows of one statement. */
const batch = 5_000

type HiddenTopic = { id: string; projectId: string }

/** Topics of all projects whose preferences are still to be removed, or the one of this id. */
async function hiddenTopics(id?: string): Promise<HiddenTopic[]> {
  return unscoped().topic.findMany({
    where: { deletedAt: { not: null }, ...(id !== undefined && { id }) },
    select: { id: true, projectId: true },
    orderBy: { id: "asc" },
    take: 10,
  })
}

/** Removes about `batch` preferences or opt-outs of a hidden topic, then the topic. False when nothing is left of it. */
async function removeBatch({ projectId, id }: HiddenTopic): Promise<boolean> {
  const project = db({ project: { id: projectId } })
  if (await removeOfTopic(id, batch, project)) return true
  await project.topic.deleteMany({ where: { id } })
  return false
}

/**
 * Removes the preferences of deleted topics, of the given one or of all that wait, for about `budgetMs`.
 * @returns whether something is left, for the next call to take up
 */
export async function removePreferences(budgetMs: number, id?: string): Promise<boolean> {
  return withinBudget(await hiddenTopics(id), removeBatch, budgetMs)
}

// Raw SQL from here on: counts are exact within one statement alone, members are paged by key over a large table, and
// deliveries wait for opt-outs.

const shape = {
  id: true,
  projectId: true,
  name: true,
  description: true,
  defaultSubscription: true,
  visibility: true,
  optInCount: false,
  optOutCount: false,
  deletedAt: false,
  createdAt: true,
  updatedAt: true,
} as const satisfies Record<Prisma.TopicScalarFieldEnum, boolean>

type Counts = { optInCount: true; optOutCount: true }

type CountedTopic = Prisma.TopicGetPayload<{ select: Omit<typeof shape, keyof Counts> & Counts }> & {
  effectiveCount: number
}

/** Topics by id, with their counts. */
export async function readTopics(
  projectId: string,
  ids: readonly string[],
  on: Connection = pool(),
): Promise<ReadonlyMap<string, CountedTopic>> {
  const rows = await rowsOf<CountedTopic>(
    on,
    Prisma.sql`SELECT ${Prisma.raw(columnsOf(shape, "t"))},
        t.opt_in_count + w.included AS "optInCount", t.opt_out_count + w.opposed AS "optOutCount",
        CASE t.default_subscription WHEN 'opt_in' THEN coalesce(a.contacts, 0) + c.included - t.opt_out_count - w.opposed
          ELSE t.opt_in_count + w.included END AS "effectiveCount"
      FROM topics t CROSS JOIN LATERAL waiting_counts(t.id) w CROSS JOIN LATERAL waiting_counts(t.project_id) c
        LEFT JOIN audience_totals a ON a.project_id = t.project_id
      WHERE t.project_id = ${projectId}::uuid AND t.id = ANY (${ids}::uuid[]) AND t.deleted_at IS NULL`,
  )
  return new Map(rows.map((row) => [row.id, row]))
}

const ways = {
  next: { beyond: "<", order: "DESC", back: ">=" },
  previous: { beyond: ">", order: "ASC", back: "<=" },
}

/** `from`: rows of one contact each, of the project $1 and of `id`, which is $2. `columns`: what is read of the contact c. */
type Members = { from: string; id: string; columns: string }

/** A page of contacts, newest first. `from` names the project. */
export async function pageOfMembers<Row extends { contactId: string }>(
  scope: Scope,
  { from, id, columns }: Members,
  position: CursorPosition | null,
  size: number,
): Promise<CursorSlice<Row>> {
  const { beyond, order, back } = ways[position?.direction ?? "next"]
  const { rows } = await pool().query<{ beside: boolean } & (Row | { contactId: null })>(
    prepared(
      `SELECT m.contact_id AS "contactId", p.beside, ${columns} FROM (
        SELECT $3::uuid IS NOT NULL AND EXISTS (SELECT 1 FROM ${from} AND contact_id ${back} $3::uuid) AS beside
      ) p LEFT JOIN LATERAL (
        SELECT contact_id FROM ${from} ${position ? `AND contact_id ${beyond} $3::uuid` : ""}
          ORDER BY contact_id ${order} LIMIT ${size + 1}
      ) m ON true LEFT JOIN contacts c ON c.project_id = $1 AND c.id = m.contact_id
      ORDER BY m.contact_id ${order}`,
      [scope.project.id, id, position?.key ?? null],
    ),
  )
  const members = rows.flatMap(({ beside: _, ...row }) => (row.contactId === null ? [] : [row as unknown as Row]))
  return cursorSlice(position, size, members, rows[0]?.beside ?? false)
}

const columns = `c.email, c.first_name AS "firstName", c.last_name AS "lastName", (
    SELECT p.updated_at FROM topic_preferences p
      WHERE p.project_id = $1 AND p.topic_id = $2 AND p.contact_id = m.contact_id
  ) AS since`

type Row = Omit<TopicContact, "firstName" | "lastName"> & { firstName: string | null; lastName: string | null }

/** In the text of the statement, because each has an index of its own. */
const chosen: Record<Subscription, string> = {
  opt_in: "topic_preferences WHERE project_id = $1 AND topic_id = $2 AND subscription = 'opt_in'",
  opt_out: "topic_preferences WHERE project_id = $1 AND topic_id = $2 AND subscription = 'opt_out'",
}

/** Contacts that have opted in, or out, themselves. */
export async function readSubscribers(
  scope: Scope,
  { topicId, subscription }: { topicId: string; subscription: Subscription },
  position: CursorPosition | null,
  size: number,
): Promise<CursorSlice<TopicContact>> {
  const members = { from: chosen[subscription], id: topicId, columns }
  const page = await pageOfMembers<Row>(scope, members, position, size)
  const named = (row: Row) => ({ ...row, firstName: present(row.firstName), lastName: present(row.lastName) })
  return { ...page, rows: page.rows.map(named) }
}

type OptOut = Reason<"topic_opt_out" | "topic_deleted">
type OptOutRow = { place: number } & (ReasonFacts["topic_opt_out"] | { topic: null })

export type AskedOptOut = { projectId: string; topicId: string; canonical: string }

/** For each of these addresses, of all projects and in their order: why mail of the topic is withheld from it, or null. */
export async function findOptOuts(asked: readonly AskedOptOut[]): Promise<(OptOut | null)[]> {
  if (!asked.length) return []
  const { rows } = await pool().query<OptOutRow>({
    name: "topics.find_opt_outs",
    text: `SELECT asked.place::int, t.name AS topic, t.default_subscription AS "byDefault"
      FROM unnest($1::uuid[], $2::uuid[], $3::text[]) WITH ORDINALITY AS asked(project_id, topic_id, canonical, place)
      LEFT JOIN topics t ON t.project_id = asked.project_id AND t.id = asked.topic_id AND t.deleted_at IS NULL
      WHERE left_topic(asked.project_id, asked.topic_id, asked.canonical)`,
    values: [
      asked.map(({ projectId }) => projectId),
      asked.map(({ topicId }) => topicId),
      asked.map(({ canonical }) => canonical),
    ],
  })
  const found = new Map(rows.map(({ place, ...facts }) => [place, facts]))
  return asked.map((_, at) => {
    const facts = found.get(at + 1)
    if (!facts) return null
    return facts.topic === null ? { code: "topic_deleted", facts: {} } : { code: "topic_opt_out", facts }
  })
}
