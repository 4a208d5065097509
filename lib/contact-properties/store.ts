import type { PropertyType } from "@/lib/contact-properties/rules"
import type { ContactProperty } from "@/lib/contact-properties/schema"
import { pool, transaction, type Queryable } from "@/lib/platform/database/db"
import { newId } from "@/lib/platform/ids"
import { offset, type PageRequest } from "@/lib/platform/http/paging"
import { present } from "@/lib/platform/schema"
import type { Scope } from "@/lib/platform/http/scope"
import { sqlState, UNIQUE_VIOLATION } from "@/lib/platform/database/sql-errors"

const columns = "id, project_id, key, type, fallback_value, created_at, updated_at"

export async function listProperties(
  scope: Scope,
  request: PageRequest,
): Promise<{ data: ContactProperty[]; total: number }> {
  const [{ rows }, total] = await Promise.all([
    pool().query<Row>(
      `SELECT ${columns} FROM contact_properties WHERE project_id = $1 AND deleted_at IS NULL
        ORDER BY id DESC LIMIT $2 OFFSET $3`,
      [scope.project.id, request.size, offset(request)],
    ),
    countProperties(scope),
  ])
  return { data: rows.map(toProperty), total }
}

export async function countProperties(scope: Scope): Promise<number> {
  const { rows } = await pool().query<{ total: number }>(
    "SELECT count(*)::int AS total FROM contact_properties WHERE project_id = $1 AND deleted_at IS NULL",
    [scope.project.id],
  )
  return rows[0]?.total ?? 0
}

export async function findProperty(scope: Scope, id: string): Promise<ContactProperty | null> {
  const { rows } = await pool().query<Row>(
    `SELECT ${columns} FROM contact_properties WHERE project_id = $1 AND id = $2 AND deleted_at IS NULL`,
    [scope.project.id, id],
  )
  return rows[0] ? toProperty(rows[0]) : null
}

/** What is declared for the contacts of a project: type and fallback by key. */
export type Declared = ReadonlyMap<string, { type: PropertyType; fallback: string | null }>

export async function declaredProperties(projectId: string, on: Queryable = pool()): Promise<Declared> {
  const { rows } = await on.query<{ key: string; type: PropertyType; fallback_value: string | null }>(
    "SELECT key, type, fallback_value FROM contact_properties WHERE project_id = $1 AND deleted_at IS NULL ORDER BY id",
    [projectId],
  )
  return new Map(rows.map(({ key, type, fallback_value }) => [key, { type, fallback: fallback_value }]))
}

export type NewProperty = { key: string; type: PropertyType; fallbackValue?: string }

/** Null when the key is taken, which it stays while the values of a deleted property are being removed. */
export async function addProperty(scope: Scope, given: NewProperty): Promise<ContactProperty | null> {
  try {
    const { rows } = await pool().query<Row>(
      `INSERT INTO contact_properties (id, project_id, key, type, fallback_value) VALUES ($1, $2, $3, $4, $5)
        RETURNING ${columns}`,
      [newId(), scope.project.id, given.key, given.type, given.fallbackValue ?? null],
    )
    return rows[0] ? toProperty(rows[0]) : null
  } catch (error) {
    if (sqlState(error) === UNIQUE_VIOLATION) return null
    throw error
  }
}

/** Sets or, with null, clears the fallback. */
export async function setFallback(scope: Scope, id: string, fallback: string | null): Promise<ContactProperty | null> {
  const { rows } = await pool().query<Row>(
    `UPDATE contact_properties SET fallback_value = $3
      WHERE project_id = $1 AND id = $2 AND deleted_at IS NULL RETURNING ${columns}`,
    [scope.project.id, id, fallback],
  )
  return rows[0] ? toProperty(rows[0]) : null
}

/** Hides the property at once; its values go with `removeValues`. False when there is none. */
export async function hideProperty(scope: Scope, id: string): Promise<boolean> {
  const { rowCount } = await pool().query(
    "UPDATE contact_properties SET deleted_at = now() WHERE project_id = $1 AND id = $2 AND deleted_at IS NULL",
    [scope.project.id, id],
  )
  return rowCount === 1
}

export type HiddenProperty = { id: string; projectId: string; key: string }

/** Properties whose values are still to be removed. */
export async function hiddenProperties(id?: string): Promise<HiddenProperty[]> {
  const { rows } = await pool().query<{ id: string; project_id: string; key: string }>(
    `SELECT id, project_id, key FROM contact_properties
      WHERE deleted_at IS NOT NULL AND ($1::uuid IS NULL OR id = $1) ORDER BY id LIMIT 10`,
    [id ?? null],
  )
  return rows.map((row) => ({ id: row.id, projectId: row.project_id, key: row.key }))
}

/**
 * Removes the values of a hidden property from the next contacts after `after`, each batch a statement of its own.
 * @returns the contact to go on after; null when all are done and the property is gone
 */
export async function removeValues(property: HiddenProperty, after: string, batch: number): Promise<string | null> {
  return transaction(async (client) => {
    const { rows } = await client.query<{ id: string }>(
      "SELECT id FROM contacts WHERE project_id = $1 AND id > $2 ORDER BY id LIMIT $3",
      [property.projectId, after, batch],
    )
    const last = rows.at(-1)
    if (!last) {
      await client.query("DELETE FROM contact_properties WHERE project_id = $1 AND id = $2", [
        property.projectId,
        property.id,
      ])
      return null
    }
    await client.query(
      `WITH locked AS (
          SELECT id FROM contacts WHERE project_id = $1 AND id > $2 AND id <= $3 AND properties ? $4 ORDER BY id FOR NO KEY UPDATE
        )
        UPDATE contacts c SET properties = c.properties - $4::text FROM locked WHERE c.id = locked.id`,
      [property.projectId, after, last.id, property.key],
    )
    return last.id
  })
}

type Row = {
  id: string
  project_id: string
  key: string
  type: string
  fallback_value: string | null
  created_at: Date
  updated_at: Date
}

function toProperty(row: Row): ContactProperty {
  return {
    id: row.id,
    object: "contact_property",
    projectId: row.project_id,
    key: row.key,
    type: row.type,
    fallbackValue: present(row.fallback_value),
    createdAt: row.created_at,
    updatedAt: row.updated_at,
  }
}
