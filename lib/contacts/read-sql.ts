import { type Declared, declaredProperties } from "@/lib/contact-properties/data"
import { eachField } from "@/lib/contacts/field-rules"
import { pictureUrl } from "@/lib/contacts/images/image-keys"
import { shownProperties } from "@/lib/contacts/rules"
import type { Contact } from "@/lib/contacts/schema"
import { pool } from "@/lib/platform/database/db"
import { prepared } from "@/lib/platform/database/prepared"
import { columnsOf, shown } from "@/lib/platform/database/shape"
import { sharedRead } from "@/lib/platform/database/shared-reads"
import type { Scope } from "@/lib/platform/http/scope"
import { present } from "@/lib/platform/schema"
import { visibleMembership as visible } from "@/lib/segments/data"
import type { Prisma } from "@/prisma/generated/client"

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
    WHERE m.project_id = c.project_id AND m.contact_id = c.id AND ${visible("m")} ORDER BY m.segment_id) AS segments,
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

function withOwn(row: Row, declared: Declared): Contact {
  return {
    ...toContact(row, declared),
    ownProperties: Object.keys(propertiesIn(row)).filter((key) => declared.has(key)),
  }
}

/** Contacts by their ids, newest first; as "own", without the fallbacks of properties. */
export async function contactsOf(
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
export async function newestContacts(scope: Scope, size: number): Promise<Contact[]> {
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

/** On `pg`: lists and exports read the segments and topics of a page in one statement, Prisma would take three. */
async function read(projectId: string, ids: readonly string[]): Promise<Row[]> {
  const { rows } = await pool().query<Row>(
    prepared(`SELECT ${columns} FROM contacts c WHERE c.project_id = $1 AND c.id = ANY ($2) ORDER BY c.id DESC`, [
      projectId,
      ids,
    ]),
  )
  return rows
}

function toContact({ imageKey, imageUrl, ...row }: Row, declared: Declared): Contact {
  return shown<Contact>()({
    ...row,
    ...eachField((field) => present(row[field])),
    object: "contact",
    profileImageUrl: imageKey ? pictureUrl(imageKey) : present(imageUrl),
    properties: shownProperties(propertiesIn(row), declared),
    ownProperties: undefined,
  })
}

/** Only texts by key are ever written. */
function propertiesIn(row: { properties: Prisma.JsonValue }): Record<string, string> {
  return row.properties as Record<string, string>
}
