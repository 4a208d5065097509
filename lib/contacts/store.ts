import { addAudit } from "@/lib/access/audit-store"
import { lockAddresses, lockContact } from "@/lib/consent/locks-sql"
import { preserveOptOuts } from "@/lib/consent/topics-sql"
import { declaredProperties, type Declared } from "@/lib/contact-properties/declared-sql"
import { pictureUrl } from "@/lib/contacts/images/image-keys"
import { isOversized, oversized, propertiesBytesMax, shownProperties } from "@/lib/contacts/rules"
import type { Contact } from "@/lib/contacts/schema"
import { pool, transaction, type Queryable } from "@/lib/platform/database/db"
import { encodeId, newId } from "@/lib/platform/ids"
import { requestInvalid } from "@/lib/platform/http/problems"
import { present } from "@/lib/platform/schema"
import type { Scope } from "@/lib/platform/http/scope"
import { shown } from "@/lib/segments/shown"

/** Everything of a contact in one row of `contacts c`. */
export const contactColumns = `c.id, c.project_id, c.email, c.first_name, c.last_name, c.phone, c.image_url, c.image_key, c.properties,
  c.unsubscribed, c.created_at, c.updated_at,
  ARRAY(SELECT m.segment_id FROM segment_members m
    WHERE m.project_id = c.project_id AND m.contact_id = c.id AND ${shown("m")} ORDER BY m.segment_id) AS segments,
  ARRAY(SELECT p.subscription || ' ' || p.topic_id FROM topic_preferences p
    JOIN topics t ON t.project_id = p.project_id AND t.id = p.topic_id AND t.deleted_at IS NULL
    WHERE p.project_id = c.project_id AND p.contact_id = c.id ORDER BY p.topic_id) AS topics`

export async function findContact(scope: Scope, id: string, on: Queryable = pool()): Promise<Contact | null> {
  const { rows } = await on.query<ContactRow>(
    `SELECT ${contactColumns} FROM contacts c WHERE c.project_id = $1 AND c.id = $2`,
    [scope.project.id, id],
  )
  const [row] = rows
  if (!row) return null
  const declared = await declaredProperties(scope.project.id, on)
  return { ...toContact(row, declared), ownProperties: Object.keys(row.properties).filter((key) => declared.has(key)) }
}

export async function contactExists(scope: Scope, id: string): Promise<boolean> {
  return (await emailOf(scope, id)) !== null
}

/** The canonical address of a contact; null where there is none. */
export async function emailOf(scope: Scope, id: string, on: Queryable = pool()): Promise<string | null> {
  const { rows } = await on.query<{ email: string }>("SELECT email FROM contacts WHERE project_id = $1 AND id = $2", [
    scope.project.id,
    id,
  ])
  return rows[0]?.email ?? null
}

export type ContactFields = {
  firstName?: string | null
  lastName?: string | null
  phone?: string | null
  properties?: Record<string, string>
  /** Keys whose values go. */
  clearedProperties?: readonly string[]
}

/** The new contact's id, and whether an earlier unsubscribe holds for it; null when the address is taken. */
export async function insertContact(
  on: Queryable,
  projectId: string,
  given: ContactFields & { email: string },
): Promise<{ id: string; unsubscribed: boolean } | null> {
  const { rows } = await on.query<{ id: string; unsubscribed: boolean }>(
    `INSERT INTO contacts (id, project_id, email, first_name, last_name, phone, properties)
      VALUES ($1, $2, $3, $4, $5, $6, $7) ON CONFLICT (project_id, email) DO NOTHING RETURNING id, unsubscribed`,
    [
      newId(),
      projectId,
      given.email,
      given.firstName || null,
      given.lastName || null,
      given.phone || null,
      given.properties ?? {},
    ],
  )
  return rows[0] ?? null
}

/**
 * Changes what is given; null and the empty text clear. Properties replace those there, or are laid over them.
 * @throws requestInvalid when they would be more than one contact may have
 */
export async function changeFields(
  on: Queryable,
  projectId: string,
  id: string,
  given: ContactFields,
  properties: "replace" | "merge",
): Promise<void> {
  const over = properties === "merge" ? "properties || $9::jsonb" : "$9::jsonb"
  const { rows } = await on.query<{ properties: Record<string, string> }>(
    `UPDATE contacts SET first_name = CASE WHEN $3 THEN $4 ELSE first_name END,
        last_name = CASE WHEN $5 THEN $6 ELSE last_name END, phone = CASE WHEN $7 THEN $8 ELSE phone END,
        properties = (CASE WHEN $9::jsonb IS NULL THEN properties ELSE ${over} END) - $10::text[]
      WHERE project_id = $1 AND id = $2 RETURNING properties`,
    [
      projectId,
      id,
      given.firstName !== undefined,
      given.firstName || null,
      given.lastName !== undefined,
      given.lastName || null,
      given.phone !== undefined,
      given.phone || null,
      given.properties ?? null,
      given.clearedProperties ?? [],
    ],
  )
  if (given.properties) refuseTooMany(rows[0]?.properties ?? {})
}

/** Each write may be small and their sum too large. */
function refuseTooMany(properties: Record<string, string>) {
  if (!isOversized(properties)) return
  throw requestInvalid(`The contact's properties must together be at most ${propertiesBytesMax} bytes of JSON.`, {
    errors: [oversized],
  })
}

/** Removes a contact with all that hangs on it; its address stays suppressed, and out of the topics it left. False where there is none. */
export async function deleteContact(scope: Scope, id: string): Promise<boolean> {
  return transaction(async (client) => {
    const email = await emailOf(scope, id, client)
    if (email === null) return false
    await lockAddresses(scope.project.id, [email], client)
    await lockContact(scope.project.id, { id }, client)
    await preserveOptOuts(scope.project.id, { id, email }, client)
    const { rows } = await client.query<{ email: string; suppressed: string | null }>(
      `DELETE FROM contacts c WHERE project_id = $1 AND id = $2 RETURNING email,
        (SELECT s.reason FROM suppressions s WHERE s.project_id = c.project_id AND s.email = c.email) AS suppressed`,
      [scope.project.id, id],
    )
    const [gone] = rows
    if (!gone) return false
    const changes = { email: gone.email, ...(gone.suppressed ? { suppressionKept: gone.suppressed } : {}) }
    await addAudit(scope, { action: "contact.deleted", target: encodeId("con", id), changes }, client)
    return true
  })
}

export type ContactRow = {
  id: string
  project_id: string
  email: string
  first_name: string | null
  last_name: string | null
  phone: string | null
  image_url: string | null
  image_key: string | null
  properties: Record<string, string>
  unsubscribed: boolean
  created_at: Date
  updated_at: Date
  segments: string[]
  topics: string[]
}

export function toContact(row: ContactRow, declared: Declared): Contact {
  return {
    id: row.id,
    object: "contact",
    projectId: row.project_id,
    email: row.email,
    firstName: present(row.first_name),
    lastName: present(row.last_name),
    phone: present(row.phone),
    profileImageUrl: row.image_key ? pictureUrl(row.image_key) : present(row.image_url),
    properties: shownProperties(row.properties, declared),
    segments: row.segments,
    topics: row.topics.map((text) => {
      const [subscription = "", topicId = ""] = text.split(" ")
      return { subscription, topicId }
    }),
    unsubscribed: row.unsubscribed,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
  }
}
