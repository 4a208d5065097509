import { isDeepStrictEqual } from "node:util"
import { addAudit } from "@/lib/access/audit/data"
import { declaredProperties } from "@/lib/contact-properties/data"
import type { ContactValues } from "@/lib/emails/templates/compose"
import { type TemplateSource, type TemplateVariable, templatesMax, versionsMax } from "@/lib/emails/templates/rules"
import type { NewTemplate, EmailTemplate, TemplateVersion } from "@/lib/emails/templates/schema"
import { lockProject } from "@/lib/platform/database/locks-sql"
import { db, type InProject, type ScopedDb } from "@/lib/platform/database/scoped-db"
import { shown } from "@/lib/platform/database/shape"
import { nullIfTaken } from "@/lib/platform/database/sql-errors"
import { counted, type PageRequest, sliceOf } from "@/lib/platform/http/paging"
import type { Scope } from "@/lib/platform/http/scope"
import { encodeId, newId } from "@/lib/platform/ids"
import { present } from "@/lib/platform/schema"
import type { Prisma } from "@/prisma/generated/client"

const shape = {
  ...{ id: true, projectId: true, name: true, subject: true, html: true, text: true, variables: true },
  ...{ version: true, isChanged: true, createdAt: true, updatedAt: true },
} as const satisfies Record<Prisma.TemplateScalarFieldEnum, boolean>

type Row = Prisma.TemplateGetPayload<{ select: typeof shape }>

const versionShape = {
  ...{ projectId: false, templateId: false },
  ...{ version: true, subject: true, html: true, text: true, variables: true, createdAt: true },
} as const satisfies Record<Prisma.TemplateVersionScalarFieldEnum, boolean>

function contentOf(row: Pick<Row, "html" | "text" | "variables">) {
  return { html: present(row.html), text: present(row.text), variables: row.variables as TemplateVariable[] }
}

const toTemplate = (row: Row) => shown<EmailTemplate>()({ ...row, ...contentOf(row) })

export async function readTemplates(
  scope: Scope,
  request: PageRequest,
): Promise<{ data: EmailTemplate[]; total: number }> {
  const { rows, total } = await counted(
    request,
    db(scope).template.findMany({ select: shape, orderBy: { id: "desc" }, ...sliceOf(request) }),
    () => db(scope).template.count(),
  )
  return { data: rows.map(toTemplate), total }
}

export async function findTemplate(scope: Scope, id: string): Promise<EmailTemplate | null> {
  const row = await db(scope).template.findUnique({ where: { id }, select: shape })
  return row && toTemplate(row)
}

/** Adds a template, not yet published. */
export async function addTemplate(scope: Scope, given: NewTemplate): Promise<EmailTemplate | "taken" | "full"> {
  const added = await nullIfTaken(
    db(scope).$transaction(async (tx) => {
      await lockProject(scope, tx)
      if ((await tx.template.count()) >= templatesMax) return "full"
      const template = await tx.template.create({ data: { id: newId(), ...given }, select: shape })
      const { id, name } = template
      await addAudit(scope, { action: "templates.create", target: encodeId("tpl", id), name }, tx)
      return template
    }),
  )
  if (added === null) return "taken"
  return added === "full" ? added : toTemplate(added)
}

type TemplateEdit = Partial<Pick<Row, "name" | "subject" | "html" | "text">> & {
  variables?: TemplateVariable[]
}

/** Null where there is no such template. */
export async function changeTemplate(
  scope: Scope,
  id: string,
  edit: TemplateEdit,
): Promise<EmailTemplate | "taken" | null> {
  const changed = await nullIfTaken(
    db(scope).$transaction(async (tx) => {
      const [row] = await tx.template.updateManyAndReturn({ where: { id }, data: edit, select: shape })
      if (!row) return "missing"
      const isChanged = await differsFromPublished(row, tx)
      if (isChanged !== row.isChanged) await tx.template.updateMany({ where: { id }, data: { isChanged } })
      const changes = { fields: Object.keys(edit) }
      const entry = { action: "templates.update", target: encodeId("tpl", id), changes } as const
      await addAudit(scope, { ...entry, name: row.name }, tx)
      return { ...row, isChanged }
    }),
  )
  if (changed === null) return "taken"
  return changed === "missing" ? null : toTemplate(changed)
}

async function differsFromPublished({ id, version, ...row }: Row, tx: ScopedDb): Promise<boolean> {
  const content = { subject: true, html: true, text: true, variables: true } as const
  const published = await tx.templateVersion.findFirst({ where: { templateId: id, version }, select: content })
  const { subject, html, text, variables } = row
  return !isDeepStrictEqual(published, { subject, html, text, variables })
}

export async function removeTemplate(scope: Scope, id: string): Promise<boolean> {
  return db(scope).$transaction(async (tx) => {
    const template = await tx.template.findUnique({ where: { id }, select: { name: true } })
    const { count } = await tx.template.deleteMany({ where: { id } })
    const entry = { action: "templates.delete", target: encodeId("tpl", id), name: template?.name } as const
    if (count) await addAudit(scope, entry, tx)
    return count > 0
  })
}

/** Keeps what the template holds now as its next version, which sends use from then on. Null where there is no such template. */
export async function publish(scope: Scope, id: string): Promise<EmailTemplate | null> {
  return db(scope).$transaction(async (tx) => {
    const [row] = await tx.template.updateManyAndReturn({
      where: { id },
      data: { version: { increment: 1 }, isChanged: false },
      select: shape,
    })
    if (!row) return null
    const { version, subject, html, text } = row
    const variables = row.variables as TemplateVariable[]
    await tx.templateVersion.createMany({ data: { templateId: id, version, subject, html, text, variables } })
    await tx.templateVersion.deleteMany({ where: { templateId: id, version: { lte: version - versionsMax } } })
    await addAudit(
      scope,
      { action: "templates.publish", target: encodeId("tpl", id), name: row.name, changes: { version } },
      tx,
    )
    return toTemplate(row)
  })
}

export async function readVersions(
  scope: Scope,
  templateId: string,
  request: PageRequest,
): Promise<{ data: TemplateVersion[]; total: number }> {
  const where = { templateId }
  const { rows, total } = await counted(
    request,
    db(scope).templateVersion.findMany({
      where,
      select: versionShape,
      orderBy: { version: "desc" },
      ...sliceOf(request),
    }),
    () => db(scope).templateVersion.count({ where }),
  )
  return { data: rows.map((row) => shown<TemplateVersion>()({ ...row, ...contentOf(row) })), total }
}

export type PublishedTemplate = TemplateSource & {
  id: string
  name: string
  version: number
  variables: TemplateVariable[]
}

/** What sends use of a template: `unpublished` where it has no version yet, null where there is none. */
export async function findPublished(
  scope: Scope,
  where: { id: string } | { name: string },
): Promise<PublishedTemplate | "unpublished" | null> {
  const template = await db(scope).template.findFirst({ where, select: { id: true, name: true, version: true } })
  if (!template) return null
  const { id, name, version } = template
  const row = await db(scope).templateVersion.findFirst({ where: { templateId: id, version }, select: versionShape })
  return row ? { id, name, version, subject: row.subject, ...contentOf(row) } : "unpublished"
}

const contactShape = {
  ...{ email: true, firstName: true, lastName: true, phone: true, properties: true },
} as const

/** What templates show of a contact. */
export type ShownContact = Pick<Prisma.ContactGetPayload<object>, keyof typeof contactShape>

const nothingKnown = { firstName: null, lastName: null, phone: null, properties: {} }

/** What templates show of the contact with this canonical address; one that is no contact has its address alone. */
export async function valuesOfAddress(scope: InProject, email: string): Promise<ContactValues> {
  const [row, valuesOf] = await Promise.all([
    db(scope).contact.findFirst({ where: { email }, select: contactShape }),
    contactReader(scope),
  ])
  return valuesOf(email, row)
}

/** What templates show of one contact; null where there is none. */
export async function valuesOfContact(scope: InProject, id: string): Promise<ContactValues | null> {
  const [row, valuesOf] = await Promise.all([
    db(scope).contact.findUnique({ where: { id }, select: contactShape }),
    contactReader(scope),
  ])
  return row && valuesOf(row.email, row)
}

/** Reads what templates show of contacts, with the fallbacks of the project's properties as they are now. */
export async function contactReader(
  scope: InProject,
): Promise<(email: string, contact: Omit<ShownContact, "email"> | null) => ContactValues> {
  const declared = await declaredProperties(scope.project.id)
  const fallbacks = [...declared].map(([key, { fallback }]) => [key, fallback] as const)
  return (email, contact) => {
    const { properties, firstName, lastName, phone } = contact ?? nothingKnown
    const own = Object.entries(properties as Record<string, string>).filter(([key]) => declared.has(key))
    const all = [...fallbacks, ...own, ...Object.entries({ email, firstName, lastName, phone })]
    return new Map(all.filter((entry): entry is [string, string] => entry[1] !== null))
  }
}
