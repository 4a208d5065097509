import { newId } from "@/lib/platform/ids"
import { counted, sliceOf, type PageRequest } from "@/lib/platform/http/paging"
import { present } from "@/lib/platform/schema"
import type { Scope } from "@/lib/platform/http/scope"
import { takeLock } from "@/lib/platform/database/locks-sql"
import { databaseTime } from "@/lib/platform/database/clock-sql"
import { db, type InProject } from "@/lib/platform/database/scoped-db"
import type { ScopedDb } from "@/lib/platform/database/scoped-types"
import { shown } from "@/lib/platform/database/shape"
import { storedSubscription, type Subscription } from "@/lib/consent/rules"
import type { Topic } from "@/lib/topics/schema"
import { readTopics, type CountedTopic } from "@/lib/topics/topic-sql"

export async function listTopics(scope: Scope, request: PageRequest): Promise<{ data: Topic[]; total: number }> {
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

export async function findTopic(scope: Scope, id: string): Promise<Topic | null> {
  return toTopic((await readTopics(scope.project.id, [id])).get(id))
}

/** The names of those of these topics that exist, by id. */
export async function topicNames(scope: InProject, ids: readonly string[]): Promise<Map<string, string>> {
  const rows = await db(scope).topic.findMany({
    where: { id: { in: [...ids] }, deletedAt: null },
    select: { id: true, name: true },
  })
  return new Map(rows.map(({ id, name }) => [id, name]))
}

export type NewTopic = { name: string; description?: string; defaultSubscription: Subscription; visibility: string }

export async function addTopic(scope: Scope, given: NewTopic): Promise<Topic> {
  // In one transaction: once others see the topic, they can delete it before it is read.
  return db(scope).$transaction(async (tx) => {
    const { id } = await tx.topic.create({ data: { id: newId(), ...given }, select: { id: true } })
    const topic = toTopic((await readTopics(scope.project.id, [id], tx)).get(id))
    if (!topic) throw new Error(`The topic ${id} was added and is not there.`)
    return topic
  })
}

export type TopicEdit = { name?: string; description?: string; visibility?: string }

/** Changes what is given; an empty description clears it. Null when there is no such topic. */
export async function changeTopic(scope: Scope, id: string, edit: TopicEdit): Promise<Topic | null> {
  const { count } = await db(scope).topic.updateMany({
    where: { id, deletedAt: null },
    data: { ...edit, ...(edit.description === "" && { description: null }) },
  })
  return count ? findTopic(scope, id) : null
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
    const { count } = await tx.topic.updateMany({ where: { id, deletedAt: null }, data })
    if (count) await followTopic(scope.project.id, id, tx)
    return count === 1
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
