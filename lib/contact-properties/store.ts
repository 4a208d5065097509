import type { PropertyType } from "@/lib/contact-properties/rules"
import type { ContactProperty } from "@/lib/contact-properties/schema"
import { newId } from "@/lib/platform/ids"
import { sliceOf, type PageRequest } from "@/lib/platform/http/paging"
import { present } from "@/lib/platform/schema"
import type { Scope } from "@/lib/platform/http/scope"
import { db } from "@/lib/platform/database/scoped-db"
import { shown } from "@/lib/platform/database/shape"
import { nullIfTaken } from "@/lib/platform/database/sql-errors"
import type { Prisma } from "@/prisma/generated/client"

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

export type NewProperty = { key: string; type: PropertyType; fallbackValue?: string }

/** Null if the key is in use, which includes the time in which the values of a deleted property are removed. */
export async function addProperty(scope: Scope, given: NewProperty): Promise<ContactProperty | null> {
  const row = await nullIfTaken(db(scope).contactProperty.create({ data: { id: newId(), ...given }, select: shape }))
  return row && toProperty(row)
}

/** Sets or, with null, clears the fallback. */
export async function setFallback(
  scope: Scope,
  id: string,
  fallbackValue: string | null,
): Promise<ContactProperty | null> {
  const [row] = await db(scope).contactProperty.updateManyAndReturn({
    where: { id, deletedAt: null },
    data: { fallbackValue },
    select: shape,
  })
  return row ? toProperty(row) : null
}

function toProperty(row: Row): ContactProperty {
  return shown<ContactProperty>()({
    ...row,
    object: "contact_property",
    fallbackValue: present(row.fallbackValue),
  })
}
