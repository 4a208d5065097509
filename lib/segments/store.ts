import type pg from "pg"
import { addAudit } from "@/lib/access/audit-store"
import { pool, transaction } from "@/lib/platform/database/db"
import { encodeId, newId } from "@/lib/platform/ids"
import { offset, type PageRequest } from "@/lib/platform/http/paging"
import { present } from "@/lib/platform/schema"
import type { Scope } from "@/lib/platform/http/scope"
import { sqlState, UNIQUE_VIOLATION } from "@/lib/platform/database/sql-errors"
import { segmentsMax, watchesEvents, type Group } from "@/lib/segments/rules"
import type { Segment } from "@/lib/segments/schema"

const COLUMNS = `s.id, s.project_id, s.name, s.filter, s.filter_version, s.passed_version, s.pass_done, s.pass_total,
  s.contact_count + w.included AS contact_count, s.unsubscribed_count + w.opposed AS unsubscribed_count, s.created_at`
const COUNTED = "segments s CROSS JOIN LATERAL waiting_counts(s.id) w"

/** Segments, newest first, with their kept counts. */
export async function listSegments(scope: Scope, request: PageRequest): Promise<{ data: Segment[]; total: number }> {
  const [listed, counted] = await Promise.all([
    pool().query<Row>(
      `SELECT ${COLUMNS} FROM ${COUNTED} WHERE s.project_id = $1 AND s.deleted_at IS NULL ORDER BY s.id DESC LIMIT $2 OFFSET $3`,
      [scope.project.id, request.size, offset(request)],
    ),
    pool().query<{ total: number }>(
      "SELECT count(*)::int AS total FROM segments WHERE project_id = $1 AND deleted_at IS NULL",
      [scope.project.id],
    ),
  ])
  return { data: listed.rows.map(toSegment), total: counted.rows[0]?.total ?? 0 }
}

export async function findSegment(scope: Scope, id: string): Promise<Segment | null> {
  const { rows } = await pool().query<Row>(
    `SELECT ${COLUMNS} FROM ${COUNTED} WHERE s.project_id = $1 AND s.id = $2 AND s.deleted_at IS NULL`,
    [scope.project.id, id],
  )
  return rows[0] ? toSegment(rows[0]) : null
}

/** Adds a segment; one with a filter is due for its first pass. */
export async function addSegment(
  scope: Scope,
  given: { name: string; filter?: Group },
): Promise<{ id: string } | "taken" | "full"> {
  return unlessTaken(() =>
    transaction(async (client) => {
      await client.query("SELECT 1 FROM projects WHERE id = $1 FOR NO KEY UPDATE", [scope.project.id])
      const { rows } = await client.query<{ used: number }>(
        "SELECT count(*)::int AS used FROM segments WHERE project_id = $1 AND deleted_at IS NULL",
        [scope.project.id],
      )
      if ((rows[0]?.used ?? 0) >= segmentsMax) return "full"
      const id = newId()
      await client.query("INSERT INTO segments (id, project_id, name) VALUES ($1, $2, $3)", [
        id,
        scope.project.id,
        given.name,
      ])
      if (given.filter) await setFilter(client, scope, id, given.filter)
      await addAudit(scope, { action: "segments.create", target: encodeId("seg", id), changes: { ...given } }, client)
      return { id }
    }),
  )
}

export type SegmentEdit = { name?: string; filter?: Group | null }

/** Changes what is given; another filter is due for its pass. */
export async function changeSegment(
  scope: Scope,
  id: string,
  edit: SegmentEdit,
): Promise<"changed" | "missing" | "taken"> {
  return unlessTaken(() =>
    transaction(async (client) => {
      const { rows } = await client.query<{ other: boolean }>(
        "SELECT filter IS DISTINCT FROM $3::jsonb AS other FROM segments WHERE project_id = $1 AND id = $2 AND deleted_at IS NULL FOR NO KEY UPDATE",
        [scope.project.id, id, edit.filter ? JSON.stringify(edit.filter) : null],
      )
      const [kept] = rows
      if (!kept) return "missing"
      if (edit.name !== undefined) {
        await client.query("UPDATE segments SET name = $3 WHERE project_id = $1 AND id = $2", [
          scope.project.id,
          id,
          edit.name,
        ])
      }
      if (edit.filter !== undefined && kept.other) await setFilter(client, scope, id, edit.filter)
      await addAudit(scope, { action: "segments.update", target: encodeId("seg", id), changes: { ...edit } }, client)
      return "changed"
    }),
  )
}

async function setFilter(client: pg.PoolClient, scope: Scope, id: string, filter: Group | null) {
  await client.query(
    `UPDATE segments SET filter = $3, filter_version = filter_version + 1, watches_events = $4, pass_due_at = now(),
        pass_attempt = pass_attempt + 1, pass_cursor = NULL, pass_done = 0, pass_total = 0
      WHERE project_id = $1 AND id = $2`,
    [scope.project.id, id, filter && JSON.stringify(filter), filter !== null && watchesEvents(filter)],
  )
}

async function unlessTaken<T>(change: () => Promise<T>): Promise<T | "taken"> {
  try {
    return await change()
  } catch (error) {
    if (sqlState(error) === UNIQUE_VIOLATION) return "taken"
    throw error
  }
}

type Row = {
  id: string
  project_id: string
  name: string
  filter: Group | null
  filter_version: number
  passed_version: number
  pass_done: number
  pass_total: number
  contact_count: number
  unsubscribed_count: number
  created_at: Date
}

function toSegment(row: Row): Segment {
  const building = row.passed_version < row.filter_version
  return {
    id: row.id,
    object: "segment",
    projectId: row.project_id,
    name: row.name,
    contactCount: row.contact_count,
    unsubscribedCount: row.unsubscribed_count,
    filter: present(row.filter),
    ...(building ? { building: { done: row.pass_done, total: Math.max(row.pass_total, row.pass_done) } } : {}),
    createdAt: row.created_at,
  }
}
