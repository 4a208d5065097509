import { changedFields, addAudit } from "@/lib/access/audit/data"
import { contactsRead, type PropertyType, valueCharsShown, valuesShown } from "@/lib/contact-properties/rules"
import type { ContactProperty, ContactPropertyValues } from "@/lib/contact-properties/schema"
import { databaseTime } from "@/lib/platform/database/clock-sql"
import { type Connection, pool, rowsOf, unscoped } from "@/lib/platform/database/db"
import { lockRows, takeLock } from "@/lib/platform/database/locks-sql"
import { db, type ScopedDb } from "@/lib/platform/database/scoped-db"
import { shown } from "@/lib/platform/database/shape"
import { nullIfTaken } from "@/lib/platform/database/sql-errors"
import { type PageRequest, sliceOf } from "@/lib/platform/http/paging"
import type { Scope } from "@/lib/platform/http/scope"
import { newId, encodeId } from "@/lib/platform/ids"
import { present } from "@/lib/platform/schema"
import { Prisma } from "@/prisma/generated/client"

const shape = {
  id: true,
  projectId: true,
  key: true,
  type: true,
  fallbackValue: true,
  deletedAt: false,
  createdAt: true,
  updatedAt: true,
} as const satisfies Record<Prisma.ContactPropertyScalarFieldEnum, boolean>

type Row = Prisma.ContactPropertyGetPayload<{ select: typeof shape }>

export async function listProperties(
  scope: Scope,
  request: PageRequest,
): Promise<{ data: ContactProperty[]; total: number }> {
  const [rows, total] = await Promise.all([
    db(scope).contactProperty.findMany({
      where: { deletedAt: null },
      select: shape,
      orderBy: { id: "desc" },
      ...sliceOf(request),
    }),
    countProperties(scope),
  ])
  return { data: rows.map(toProperty), total }
}

export async function countProperties(scope: Scope): Promise<number> {
  return db(scope).contactProperty.count({ where: { deletedAt: null } })
}

export async function findProperty(scope: Scope, id: string): Promise<ContactProperty | null> {
  const row = await db(scope).contactProperty.findUnique({ where: { id, deletedAt: null }, select: shape })
  return row && toProperty(row)
}

/**
 * The name of a segment whose filter names a property of this key that was deleted; null where there is none. With a new one of the
 * key, which nobody has a value of, a negated condition would let everybody in.
 */
export async function findSegmentOfDeleted(scope: Scope, key: string): Promise<string | null> {
  if ((await db(scope).contactProperty.count({ where: { key, deletedAt: null } })) > 0) return null
  const where = { filter: { not: Prisma.DbNull }, deletedAt: null }
  const segments = await db(scope).segment.findMany({ where, select: { name: true, filter: true } })
  const named = `"key":${JSON.stringify(key)}`
  return segments.find(({ filter }) => JSON.stringify(filter).includes(named))?.name ?? null
}

export type NewProperty = { key: string; type: PropertyType; fallbackValue?: string }

/** Null if the key is in use, which includes the time in which the values of a deleted property are removed. */
export async function addProperty(scope: Scope, given: NewProperty): Promise<ContactProperty | null> {
  const row = await nullIfTaken(
    db(scope).$transaction(async (tx) => {
      const added = await tx.contactProperty.create({ data: { id: newId(), ...given }, select: shape })
      const { key: name, ...changes } = given
      await addAudit(scope, { action: "contact_property.created", target: targetOf(added.id), name, changes }, tx)
      return added
    }),
  )
  return row && toProperty(row)
}

/** Sets or, with null, clears the fallback. */
export async function setFallback(
  scope: Scope,
  id: string,
  fallbackValue: string | null,
): Promise<ContactProperty | null> {
  return db(scope).$transaction(async (tx) => {
    const where = { id, deletedAt: null }
    const before = await tx.contactProperty.findUnique({ where, select: { fallbackValue: true } })
    const [row] = await tx.contactProperty.updateManyAndReturn({ where, data: { fallbackValue }, select: shape })
    if (!before || !row) return null
    const changes = changedFields(before, { fallbackValue })
    await addAudit(scope, { action: "contact_property.updated", target: targetOf(id), name: row.key, changes }, tx)
    return toProperty(row)
  })
}

function targetOf(id: string): string {
  return encodeId("prop", id)
}

function toProperty(row: Row): ContactProperty {
  return shown<ContactProperty>()({
    ...row,
    object: "contact_property",
    fallbackValue: present(row.fallbackValue),
  })
}

/**
 * Hides the property at once; its values are removed afterwards. False when there is none.
 * @param followProperty what else changes with it, in the same transaction
 */
export async function hideProperty(
  scope: Scope,
  id: string,
  followProperty: (projectId: string, key: string, tx: ScopedDb) => Promise<void>,
): Promise<boolean> {
  return db(scope).$transaction(async (tx) => {
    // `fold_counts` changes segments of all projects in one transaction: without this lock the two could deadlock.
    await takeLock("mailroom.fold_counts", tx)
    const [hidden] = await tx.contactProperty.updateManyAndReturn({
      where: { id, deletedAt: null },
      data: { deletedAt: await databaseTime(tx) },
      select: { key: true },
    })
    if (!hidden) return false
    await followProperty(scope.project.id, hidden.key, tx)
    await addAudit(scope, { action: "contact_property.deleted", target: targetOf(id), name: hidden.key }, tx)
    return true
  })
}

export type HiddenProperty = { id: string; projectId: string; key: string }

/** Properties of all projects whose values are still to be removed, or the one of this id. */
export async function hiddenProperties(id?: string): Promise<HiddenProperty[]> {
  return unscoped().contactProperty.findMany({
    where: { deletedAt: { not: null }, ...(id !== undefined && { id }) },
    select: { id: true, projectId: true, key: true },
    orderBy: { id: "asc" },
    take: 10,
  })
}

/** Deletes a hidden property whose values have been removed. */
export async function deleteProperty({ id, projectId }: HiddenProperty): Promise<void> {
  await db({ project: { id: projectId } }).contactProperty.deleteMany({ where: { id } })
}

/**
 * Which of these keys name properties that are not deleted. Those that do stay so until the transaction ends: who deletes one waits,
 * and removes its values then.
 */
export async function keepDeclared(projectId: string, keys: readonly string[], on: Connection): Promise<Set<string>> {
  if (!keys.length) return new Set()
  const named = Prisma.sql`project_id = ${projectId}::uuid AND key = ANY (${keys}::text[]) AND deleted_at IS NULL`
  const rows = await lockRows<{ key: string }>(
    { columns: "key", table: "contact_properties", where: named, shared: true },
    on,
  )
  return new Set(rows.map(({ key }) => key))
}

// On `pg`, because every read of contacts waits for it: Prisma takes twice the time (measured).

/** What is declared for the contacts of a project: type and fallback by key. */
export type DeclaredProperties = ReadonlyMap<string, { type: PropertyType; fallback: string | null }>

export async function declaredProperties(projectId: string, on: Connection = pool()): Promise<DeclaredProperties> {
  const rows = await rowsOf<{ key: string; type: PropertyType; fallback: string | null }>(
    on,
    Prisma.sql`SELECT key, type, fallback_value AS fallback FROM contact_properties
      WHERE project_id = ${projectId}::uuid AND deleted_at IS NULL ORDER BY id`,
    { often: true },
  )
  return new Map(rows.map(({ key, type, fallback }) => [key, { type, fallback }]))
}

/** The most frequent values of a property among the newest contacts; null if there is no such property. */
export async function frequentValues(scope: Scope, propertyId: string): Promise<ContactPropertyValues | null> {
  const property = await findProperty(scope, propertyId)
  if (!property) return null
  const contacts = await db(scope).contact.findMany({
    select: { properties: true },
    orderBy: { id: "desc" },
    take: contactsRead,
  })
  const counts = new Map<string, number>()
  for (const { properties } of contacts) {
    const held = (properties as Record<string, unknown>)[property.key]
    // A property may be named as something that every object has, such as "constructor".
    if (typeof held === "string" && held !== "" && held.length <= valueCharsShown)
      counts.set(held, (counts.get(held) ?? 0) + 1)
  }
  const data = [...counts]
    .map(([value, count]) => ({ value, contacts: count }))
    .toSorted((a, b) => b.contacts - a.contacts || (a.value < b.value ? -1 : 1))
  return { contacts: contacts.length, data: data.slice(0, valuesShown) }
}
