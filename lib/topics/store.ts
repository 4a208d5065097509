import { removeOfTopic } from "@/lib/consent/topics-sql"
import { pool, transaction, type Queryable } from "@/lib/platform/database/db"
import { newId } from "@/lib/platform/ids"
import { offset, type PageRequest } from "@/lib/platform/http/paging"
import { present } from "@/lib/platform/schema"
import type { Scope } from "@/lib/platform/http/scope"
import type { Subscription } from "@/lib/consent/rules"
import type { Topic } from "@/lib/topics/schema"
import { renewSegmentsOf } from "@/lib/topics/segment-store"

const columns = `t.id, t.project_id, t.name, t.description, t.default_subscription, t.visibility, t.created_at, t.updated_at,
  t.opt_in_count + w.included AS opt_in_count, t.opt_out_count + w.opposed AS opt_out_count,
  CASE t.default_subscription WHEN 'opt_in' THEN coalesce(a.contacts, 0) + c.included - t.opt_out_count - w.opposed
    ELSE t.opt_in_count + w.included END AS effective_count`
const counted = `topics t CROSS JOIN LATERAL waiting_counts(t.id) w
  CROSS JOIN LATERAL waiting_counts(t.project_id) c LEFT JOIN audience_totals a ON a.project_id = t.project_id`

export async function listTopics(scope: Scope, request: PageRequest): Promise<{ data: Topic[]; total: number }> {
  const [{ rows }, { rows: totals }] = await Promise.all([
    pool().query<Row>(
      `SELECT ${columns} FROM ${counted} WHERE t.project_id = $1 AND t.deleted_at IS NULL ORDER BY t.id DESC LIMIT $2 OFFSET $3`,
      [scope.project.id, request.size, offset(request)],
    ),
    pool().query<{ total: number }>(
      "SELECT count(*)::int AS total FROM topics WHERE project_id = $1 AND deleted_at IS NULL",
      [scope.project.id],
    ),
  ])
  return { data: rows.map(toTopic), total: totals[0]?.total ?? 0 }
}

export async function findTopic(scope: Scope, id: string): Promise<Topic | null> {
  const { rows } = await pool().query<Row>(
    `SELECT ${columns} FROM ${counted} WHERE t.project_id = $1 AND t.id = $2 AND t.deleted_at IS NULL`,
    [scope.project.id, id],
  )
  return rows[0] ? toTopic(rows[0]) : null
}

export type NewTopic = { name: string; description?: string; defaultSubscription: Subscription; visibility: string }

export async function addTopic(scope: Scope, given: NewTopic): Promise<Topic> {
  const id = newId()
  await pool().query(
    "INSERT INTO topics (id, project_id, name, description, default_subscription, visibility) VALUES ($1, $2, $3, $4, $5, $6)",
    [id, scope.project.id, given.name, given.description ?? null, given.defaultSubscription, given.visibility],
  )
  const topic = await findTopic(scope, id)
  if (!topic) throw new Error("The topic was not stored.")
  return topic
}

export type TopicEdit = { name?: string; description?: string; visibility?: string }

/** Changes what is given; an empty description clears it. Null when there is no such topic. */
export async function changeTopic(scope: Scope, id: string, edit: TopicEdit): Promise<Topic | null> {
  await pool().query(
    `UPDATE topics SET name = coalesce($3, name), visibility = coalesce($5, visibility),
        description = CASE WHEN $4::text IS NULL THEN description ELSE nullif($4, '') END
      WHERE project_id = $1 AND id = $2 AND deleted_at IS NULL`,
    [scope.project.id, id, edit.name ?? null, edit.description ?? null, edit.visibility ?? null],
  )
  return findTopic(scope, id)
}

/**
 * Hides the topic at once, and tells the segments that ask for it; its preferences go with `removePreferences`. False
 * when there is none.
 */
export async function hideTopic(scope: Scope, id: string): Promise<boolean> {
  return transaction(async (client) => {
    // Folding changes topics and segments in one transaction, too: the two must not wait for each other in a circle.
    await client.query("SELECT pg_advisory_xact_lock(hashtext('mailroom.fold_counts'))")
    const { rowCount } = await client.query(
      "UPDATE topics SET deleted_at = now() WHERE project_id = $1 AND id = $2 AND deleted_at IS NULL",
      [scope.project.id, id],
    )
    if (rowCount === 1) await renewSegmentsOf(client, scope.project.id, id)
    return rowCount === 1
  })
}

export type HiddenTopic = { id: string; projectId: string }

/** Topics whose preferences are still to be removed. */
export async function hiddenTopics(id?: string): Promise<HiddenTopic[]> {
  const { rows } = await pool().query<{ id: string; project_id: string }>(
    `SELECT id, project_id FROM topics WHERE deleted_at IS NOT NULL AND ($1::uuid IS NULL OR id = $1) ORDER BY id LIMIT 10`,
    [id ?? null],
  )
  return rows.map((row) => ({ id: row.id, projectId: row.project_id }))
}

/** Removes up to `batch` preferences and opt-outs of a hidden topic, then the topic. False when nothing is left of it. */
export async function removePreferences(topic: HiddenTopic, batch: number): Promise<boolean> {
  if (await removeOfTopic(topic, batch, pool())) return true
  await pool().query("DELETE FROM topics WHERE project_id = $1 AND id = $2", [topic.projectId, topic.id])
  return false
}

/** The default of a topic of the project; null where there is none. */
export async function topicDefault(projectId: string, id: string): Promise<Subscription | null> {
  const { rows } = await pool().query<{ default_subscription: Subscription }>(
    "SELECT default_subscription FROM topics WHERE project_id = $1 AND id = $2 AND deleted_at IS NULL",
    [projectId, id],
  )
  return rows[0]?.default_subscription ?? null
}

/** Those of the ids that name topics of the project. */
export async function existingTopics(
  projectId: string,
  ids: readonly string[],
  on: Queryable = pool(),
): Promise<Set<string>> {
  if (!ids.length) return new Set()
  const { rows } = await on.query<{ id: string }>(
    "SELECT id FROM topics WHERE project_id = $1 AND id = ANY ($2) AND deleted_at IS NULL",
    [projectId, ids],
  )
  return new Set(rows.map(({ id }) => id))
}

type Row = {
  id: string
  project_id: string
  name: string
  description: string | null
  default_subscription: string
  visibility: string
  opt_in_count: number
  opt_out_count: number
  effective_count: number
  created_at: Date
  updated_at: Date
}

function toTopic(row: Row): Topic {
  return {
    id: row.id,
    object: "topic",
    projectId: row.project_id,
    name: row.name,
    description: present(row.description),
    defaultSubscription: row.default_subscription,
    visibility: row.visibility,
    optInCount: row.opt_in_count,
    optOutCount: row.opt_out_count,
    effectiveCount: row.effective_count,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
  }
}
