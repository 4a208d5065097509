import { addAudit } from "@/lib/access/audit/data"
import {
  lockAddresses,
  lockContact,
  type LockedContact,
  setAddressesUnsubscribed,
  subscribeAgain,
  suppress,
  preserveOptOuts,
  storePreferences,
} from "@/lib/consent/data"
import { type Preference, storedSubscription } from "@/lib/consent/rules"
import { deleteProperty, hiddenProperties, type HiddenProperty } from "@/lib/contact-properties/data"
import { findContactIn } from "@/lib/contacts/list/data"
import { type ContactField, contactFieldNames, isOversized, oversized, propertiesBytesMax } from "@/lib/contacts/rules"
import type { Contact } from "@/lib/contacts/schema"
import { type Connection, rowsOf, pool, type Queryable, transaction } from "@/lib/platform/database/db"
import { db, type InProject, type ScopedDb } from "@/lib/platform/database/scoped-db"
import { columnOf } from "@/lib/platform/database/shape"
import { foreignKeyViolation, sqlState } from "@/lib/platform/database/sql-errors"
import { requestInvalid } from "@/lib/platform/http/problems"
import type { Scope } from "@/lib/platform/http/scope"
import { encodeId, newId } from "@/lib/platform/ids"
import { withinBudget } from "@/lib/platform/jobs/turns"
import { join, leaveSegment, type SegmentName } from "@/lib/segments/data"
import { topicState } from "@/lib/topics/rules"
import { Prisma } from "@/prisma/generated/client"

export type ContactPlan = GivenFields & {
  /** Canonical form of the address. */
  email: string
  unsubscribed?: boolean
  segments: readonly SegmentName[]
  preferences: readonly Preference[]
}

/** Adds a contact with everything given, or nothing; null if the address is in use. */
export async function addContact(scope: Scope, plan: ContactPlan): Promise<Contact | null> {
  return transaction(async (client) => {
    await lockAddresses(scope.project.id, [plan.email], client)
    return add(scope, plan, client)
  })
}

/**
 * Adds the contact, or changes the one with this address.
 * @throws requestInvalid when its properties together would be over their size
 */
export async function addOrChangeContact(scope: Scope, plan: ContactPlan): Promise<Contact | null> {
  return transaction(async (client) => {
    await lockAddresses(scope.project.id, [plan.email], client)
    // Between the two, the contact can be added or deleted; that this happens five times is not to be expected.
    for (let round = 0; round < 5; round++) {
      const added = await add(scope, plan, client)
      if (added) return added
      const known = await lockContact(scope.project.id, { email: plan.email }, client)
      if (!known) continue
      await changeFields(scope.project.id, known.id, plan, "merge", client)
      if (plan.unsubscribed !== undefined) await setUnsubscribed(scope, known, plan.unsubscribed, client)
      await joinSegments(scope.project.id, known.id, plan.segments, client)
      await setPreferences(scope.project.id, known.id, plan.preferences, { on: client })
      return findContactIn(scope, known.id, client)
    }
    throw new Error("The address was added and deleted again and again.")
  })
}

/** Changes what is given; properties replace the stored ones or are merged with them. Null when there is no such contact. */
export async function changeContact(
  scope: Scope,
  id: string,
  change: GivenFields & { unsubscribed?: boolean },
  properties: "replace" | "merge",
): Promise<Contact | null> {
  return transaction(async (client) => {
    const contact = await lockContact(scope.project.id, { id }, client)
    if (!contact) return null
    await changeFields(scope.project.id, id, change, properties, client)
    if (change.unsubscribed !== undefined) await setUnsubscribed(scope, contact, change.unsubscribed, client)
    return findContactIn(scope, id, client)
  })
}

/** Sets preferences for topics that exist. False when there is no such contact. */
export async function changePreferences(
  scope: Scope,
  id: string,
  preferences: readonly Preference[],
): Promise<boolean> {
  return transaction(async (client) => {
    if (!(await lockContact(scope.project.id, { id }, client))) return false
    await setPreferences(scope.project.id, id, preferences, { on: client })
    return true
  })
}

/**
 * Deletes a contact with its memberships, preferences and activity; its address remains suppressed, and out of the topics
 * it left. False where there is none.
 */
export async function removeContact(scope: Scope, id: string): Promise<boolean> {
  const email = await findContactEmail(scope, id)
  if (email === null) return false
  return db(scope).$transaction(async (tx) => {
    await lockAddresses(scope.project.id, [email], tx)
    const contact = await lockContact(scope.project.id, { id }, tx)
    await preserveOptOuts({ id, email }, tx)
    const { count } = await tx.contact.deleteMany({ where: { id } })
    if (!count) return false
    if (contact?.unsubscribed) await setAddressesUnsubscribed(scope.project.id, [email], true, tx)
    const suppression = await tx.suppression.findFirst({ where: { email }, select: { reason: true } })
    const changes = { email, ...(suppression && { suppressionKept: suppression.reason }) }
    await addAudit(scope, { action: "contact.deleted", target: encodeId("con", id), changes }, tx)
    return true
  })
}

async function add(scope: Scope, plan: ContactPlan, client: Queryable): Promise<Contact | null> {
  const added = await insertContact(scope.project.id, plan, client)
  if (!added) return null
  if (plan.unsubscribed)
    await setUnsubscribed(scope, { id: added.id, email: plan.email, unsubscribed: false }, true, client)
  await joinSegments(scope.project.id, added.id, plan.segments, client)
  // Topics left through a link earlier remain left, whatever the request says; a change of the contact can rejoin them.
  await setPreferences(scope.project.id, added.id, plan.preferences, { known: "keep", on: client })
  return findContactIn(scope, added.id, client)
}

/**
 * Sets the global state of a contact whose lock the transaction holds, with an audit entry if it changes. `true` suppresses
 * its address with `unsubscribe`, `false` removes that suppression and no other.
 */
async function setUnsubscribed(
  scope: Scope,
  contact: LockedContact,
  wanted: boolean,
  client: Queryable,
): Promise<void> {
  const { id, email, unsubscribed } = contact
  if (wanted) await suppress(scope.project.id, { email, reason: "unsubscribe", contactId: id }, client)
  else await subscribeAgain(scope.project.id, email, client)
  if (unsubscribed === wanted) return
  const action = wanted ? "contact.unsubscribed" : "contact.resubscribed"
  const changes = { email, unsubscribed: [unsubscribed, wanted] }
  await addAudit(scope, { action, target: encodeId("con", id), changes }, client)
}

/** Adds a contact to segments manually, which overrides any filter. Where it was added already, nothing changes. */
async function joinSegments(
  projectId: string,
  contactId: string,
  segments: readonly SegmentName[],
  on: Queryable,
): Promise<void> {
  if (!segments.length) return
  const joined = await join(projectId, { contactIds: [contactId], segmentIds: segments.map(({ id }) => id) }, on)
  const entries = segments.flatMap(({ id, name }) =>
    joined.has(id) ? [{ type: "segment_added", referenceId: id, referenceName: name }] : [],
  )
  await addActivity(projectId, contactId, entries, on)
}

/** As `joinSegments`, by itself; false when contact or segment has been deleted meanwhile. */
export function addMember(scope: Scope, contactId: string, segment: SegmentName): Promise<boolean> {
  return whileBothExist((tx) => joinSegments(scope.project.id, contactId, [segment], tx))
}

/** Removes a contact from a segment manually, which overrides any filter. False when either has been deleted meanwhile. */
export function removeFromSegment(scope: Scope, contactId: string, segment: SegmentName): Promise<boolean> {
  return whileBothExist(async (tx) => {
    if (!(await leaveSegment(scope.project.id, contactId, segment, tx))) return
    const entry = { type: "segment_removed", referenceId: segment.id, referenceName: segment.name }
    await addActivity(scope.project.id, contactId, [entry], tx)
  })
}

/** Runs `work` in a transaction; false when a row that it refers to has been deleted meanwhile. */
async function whileBothExist(work: (tx: Queryable) => Promise<void>): Promise<boolean> {
  try {
    await transaction(work)
    return true
  } catch (error) {
    if (sqlState(error) === foreignKeyViolation) return false
    throw error
  }
}

/** A topic with the state of a contact in it. */
export type TopicState = Preference & {
  name: string
  description: string | null
  visibility: string
  explicit: boolean
}

/** Every topic of the project with the state of a contact, or of an address that is none; oldest topic first. */
export async function topicStates(
  scope: InProject,
  of: { contactId: string } | { email: string },
  on: ScopedDb = db(scope),
): Promise<TopicState[]> {
  const topics = await on.topic.findMany({
    where: { deletedAt: null },
    select: { id: true, name: true, description: true, visibility: true, defaultSubscription: true },
    orderBy: { id: "asc" },
  })
  const own = await ownStates(of, on)
  return topics.map(({ id, defaultSubscription, ...topic }) => {
    const explicit = own.get(id)
    return {
      ...topic,
      topicId: id,
      explicit: explicit !== undefined,
      subscription: topicState(explicit, storedSubscription(defaultSubscription)),
    }
  })
}

async function ownStates(of: { contactId: string } | { email: string }, on: ScopedDb) {
  if ("email" in of) {
    const left = await on.topicOptOut.findMany({ where: of, select: { topicId: true } })
    return new Map(left.map(({ topicId }) => [topicId, "opt_out" as const]))
  }
  const preferences = await on.topicPreference.findMany({ where: of, select: { topicId: true, subscription: true } })
  return new Map(preferences.map(({ topicId, subscription }) => [topicId, storedSubscription(subscription)]))
}

/**
 * Sets what a contact says about topics, and records what has changed. The transaction holds the lock of the contact.
 * Preferences of its own are replaced, or kept with `known: "keep"`.
 */
export async function setPreferences(
  projectId: string,
  contactId: string,
  preferences: readonly Preference[],
  { known = "replace", on }: { known?: "replace" | "keep"; on: Connection },
): Promise<void> {
  const changed = await storePreferences(projectId, contactId, preferences, { known, on })
  const entries = changed.map(({ topicId, subscription, name }) => ({
    type: subscription === "opt_in" ? "topic_subscribed" : "topic_unsubscribed",
    referenceId: topicId,
    referenceName: name,
  }))
  await addActivity(projectId, contactId, entries, on)
}

export async function contactExists(scope: Scope, id: string): Promise<boolean> {
  return (await findContactEmail(scope, id)) !== null
}

/** The canonical address of a contact; null where there is none. */
export async function findContactEmail(scope: Scope, id: string): Promise<string | null> {
  const row = await db(scope).contact.findUnique({ where: { id }, select: { email: true } })
  return row && row.email
}

// On `pg` from here on: a change of a contact is up to ten short statements in one transaction, which Prisma would make some
// 3 ms slower. Prisma has no jsonb operators, and neither removes a key from jsonb nor locks rows in order.

/** What a caller gives of a contact; null and the empty text clear a field. */
type GivenFields = Partial<Record<ContactField, string | null>> & {
  properties?: Record<string, string>
  /** Keys whose values are removed. */
  clearedProperties?: readonly string[]
}

/** The new contact's id, and whether an earlier unsubscribe applies to it; null when the address is taken. */
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
 * Changes what is given. Properties replace the stored ones, or are merged with them.
 * @throws requestInvalid when the properties would be more than one contact may have
 */
async function changeFields(
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

/** Records what happened to a contact, in the transaction of the change. */
async function addActivity(
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

/** Contacts of one statement. */
const batch = 2_000
const first = "00000000-0000-0000-0000-000000000000"

/** How far this process is with each hidden property: a call that began anew would never end where there are many contacts. */
const reached = new Map<string, string>()

/**
 * Removes the values of a hidden property from the next contacts, and the property after the last.
 * @returns whether contacts are left
 */
async function removeBatch(property: HiddenProperty): Promise<boolean> {
  const { id, projectId, key } = property
  const after = reached.get(id) ?? first
  const project = db({ project: { id: projectId } })
  const rows = await project.contact.findMany({
    where: { id: { gt: after } },
    select: { id: true },
    orderBy: { id: "asc" },
    take: batch,
  })
  const last = rows.at(-1)
  if (!last) {
    reached.delete(id)
    await deleteProperty(property)
    return false
  }
  await project.$executeRaw`
    WITH locked AS (
      SELECT id FROM contacts WHERE project_id = ${projectId}::uuid AND id > ${after}::uuid AND id <= ${last.id}::uuid
        AND properties ? ${key} ORDER BY id FOR NO KEY UPDATE
    )
    UPDATE contacts c SET properties = c.properties - ${key}::text FROM locked WHERE c.id = locked.id`
  reached.set(id, last.id)
  return true
}

/**
 * Removes the values of deleted properties, of the given one or of all that wait, for about `budgetMs`.
 * @returns whether something is left, for the next call to continue with
 */
export async function removeValues(budgetMs: number, id?: string): Promise<boolean> {
  return withinBudget(await hiddenProperties(id), removeBatch, budgetMs)
}

/** Adds up to `limit` waiting differences to the counts of segments, topics and projects; returns how many. For all projects. */
export async function foldCounts(limit: number): Promise<number> {
  const { rows } = await pool().query<{ taken: number }>("SELECT fold_counts($1) AS taken", [limit])
  return rows[0]?.taken ?? 0
}
