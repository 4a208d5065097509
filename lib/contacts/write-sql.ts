import { contactFieldNames, type ContactField } from "@/lib/contacts/field-rules"
import { isOversized, oversized, propertiesBytesMax } from "@/lib/contacts/rules"
import { rowsOf, type Connection } from "@/lib/platform/database/connection"
import { columnOf } from "@/lib/platform/database/shape"
import { newId } from "@/lib/platform/ids"
import { requestInvalid } from "@/lib/platform/http/problems"
import { Prisma } from "@/prisma/generated/client"

// A change of a contact is up to ten short statements in one transaction, which Prisma would make some 3 ms slower: the
// statements of this file run on `pg`.

/** What a caller gives of a contact; null and the empty text clear a field. */
export type GivenFields = Partial<Record<ContactField, string | null>> & {
  properties?: Record<string, string>
  /** Keys whose values are removed. */
  clearedProperties?: readonly string[]
}

/**
 * The new contact's id, and whether an earlier unsubscribe applies to it; null when the address is taken. Raw, because the
 * transaction is on `pg`.
 */
export async function insertContact(
  projectId: string,
  given: GivenFields & { email: string },
  on: Connection,
): Promise<{ id: string; unsubscribed: boolean } | null> {
  const written = writtenFields(given)
  const [row] = await rowsOf<{ id: string; unsubscribed: boolean }>(
    on,
    Prisma.sql`INSERT INTO contacts (id, project_id, email, properties ${list(written.map(({ column }) => column))})
      VALUES (${newId()}::uuid, ${projectId}::uuid, ${given.email}, ${JSON.stringify(given.properties ?? {})}::jsonb
        ${list(written.map(({ value }) => Prisma.sql`${value}`))})
      ON CONFLICT (project_id, email) DO NOTHING RETURNING id, unsubscribed`,
  )
  return row ?? null
}

/**
 * Changes what is given. Properties replace the stored ones, or are merged with them. Raw, because Prisma has no jsonb
 * operators.
 * @throws requestInvalid when the properties would be more than one contact may have
 */
export async function changeFields(
  projectId: string,
  id: string,
  given: GivenFields,
  properties: "replace" | "merge",
  on: Connection,
): Promise<void> {
  const sets = writtenFields(given).map(({ column, value }) => Prisma.sql`${column} = ${value}`)
  const values = given.properties && Prisma.sql`${JSON.stringify(given.properties)}::jsonb`
  const changed = values
    ? properties === "merge"
      ? Prisma.sql`properties || ${values}`
      : values
    : Prisma.sql`properties`
  const [row] = await rowsOf<{ properties: Record<string, string> }>(
    on,
    Prisma.sql`UPDATE contacts SET properties = (${changed}) - ${given.clearedProperties ?? []}::text[] ${list(sets)}
      WHERE project_id = ${projectId}::uuid AND id = ${id}::uuid RETURNING properties`,
  )
  if (given.properties) refuseTooMany(row?.properties ?? {})
}

export type ActivityEntry = { type: string; referenceId: string; referenceName: string }

/** Records what happened to a contact, in the transaction of the change. Raw, because the transaction is on `pg`. */
export async function addActivity(
  projectId: string,
  contactId: string,
  entries: readonly ActivityEntry[],
  on: Connection,
): Promise<void> {
  if (!entries.length) return
  const rows = entries.map(
    ({ type, referenceId, referenceName }) =>
      Prisma.sql`(${newId()}::uuid, ${projectId}::uuid, ${contactId}::uuid, ${type}, ${referenceId}::uuid, ${referenceName})`,
  )
  await rowsOf(
    on,
    Prisma.sql`INSERT INTO contact_activities (id, project_id, contact_id, type, reference_id, reference_name)
      VALUES ${Prisma.join(rows)}`,
  )
}

type WrittenField = { column: Prisma.Sql; value: string | null }

/** The fields that are given, with their columns and as they are stored. */
function writtenFields(given: GivenFields): WrittenField[] {
  return contactFieldNames.flatMap((field) =>
    given[field] === undefined ? [] : [{ column: Prisma.raw(columnOf(field)), value: given[field] || null }],
  )
}

/** More items of a list in SQL. */
function list(items: readonly Prisma.Sql[]): Prisma.Sql {
  return items.length ? Prisma.sql`, ${Prisma.join([...items])}` : Prisma.empty
}

/** Each write may be small and their sum too large. */
function refuseTooMany(properties: Record<string, string>) {
  if (!isOversized(properties)) return
  throw requestInvalid(`The contact's properties must together be at most ${propertiesBytesMax} bytes of JSON.`, {
    errors: [oversized],
  })
}
