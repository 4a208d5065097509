import { addRecipientAudit, type NewAuditEntry } from "@/lib/access/audit/data"
import { lockAddresses, lockContact, subscribeAgain, suppress, optOut } from "@/lib/consent/data"
import { type Preference, storedReason, type SuppressionReason } from "@/lib/consent/rules"
import { insertContact, setPreferences, type TopicState, topicStates } from "@/lib/contacts/data"
import { addEvents, hasEvent } from "@/lib/emails/data"
import { pool, unscoped } from "@/lib/platform/database/db"
import { lockRows } from "@/lib/platform/database/locks-sql"
import { db, type InProject, type ScopedDb } from "@/lib/platform/database/scoped-db"
import { shown } from "@/lib/platform/database/shape"
import { env } from "@/lib/platform/env/env"
import type { Scope } from "@/lib/platform/http/scope"
import { encodeId, newId } from "@/lib/platform/ids"
import type { ImageReading } from "@/lib/tracking/hits/rules"
import { Prisma } from "@/prisma/generated/client"

/** The email that a recipient leaves by its link. */
type LinkedDelivery = {
  id: string
  projectId: string
  emailId: string
  address: string
  canonical: string
  email: { subject: string; topicId: string | null }
}

/**
 * Takes the recipient of a delivery out of the topic of its mail; without a topic, or asked to leave all, suppresses the
 * address in the project. Recorded once in the timeline of the email, whose status is unchanged. A repeated
 * request repeats it, because the owner may have undone it meanwhile.
 */
export async function recordUnsubscribe(
  deliveryId: string,
  method: "one-click" | "page" | "email",
  { fromAll = false } = {},
): Promise<void> {
  const delivery = await findDelivery(deliveryId)
  if (!delivery) return
  const { projectId, emailId, canonical } = delivery
  const scope = { project: { id: projectId } }
  await db(scope).$transaction(async (tx) => {
    // The second of two simultaneous clicks waits here, and then sees the event of the first.
    await lockAddresses(projectId, [canonical], tx)
    const isRecorded = await hasEvent(scope, { emailId, deliveryId, type: "unsubscribed" }, tx)
    const topicId = fromAll ? null : await existingTopic(tx, scope, delivery.email)
    const eventId = newId()
    if (topicId) await leaveTopic(tx, { projectId, email: canonical, topicId })
    else {
      const evidence = { emailId, ...(isRecorded ? {} : { eventId }) }
      await suppress(projectId, { email: canonical, reason: "unsubscribe", ...evidence }, tx)
    }
    if (!isRecorded) await recordEvent(scope, { delivery, eventId, method, topicId }, tx)
  })
}

function findDelivery(id: string): Promise<LinkedDelivery | null> {
  return unscoped().delivery.findUnique({
    where: { id },
    select: {
      ...{ id: true, projectId: true, emailId: true, address: true, canonical: true },
      email: { select: { subject: true, topicId: true } },
    },
  })
}

/** Held until the transaction ends: whoever deletes it at this moment waits. */
async function existingTopic(
  tx: ScopedDb,
  { project }: InProject,
  { topicId }: LinkedDelivery["email"],
): Promise<string | null> {
  if (topicId === null) return null
  const where = Prisma.sql`project_id = ${project.id}::uuid AND id = ${topicId}::uuid AND deleted_at IS NULL`
  const [topic] = await lockRows<{ id: string }>({ columns: "id", table: "topics", where, shared: true }, tx)
  return topic?.id ?? null
}

type Recorded = { delivery: LinkedDelivery; eventId: string; method: string; topicId: string | null }

async function recordEvent(scope: InProject, { delivery, eventId, method, topicId }: Recorded, tx: ScopedDb) {
  const isSimulated = delivery.canonical.endsWith(`@simulator.${env().serviceDomain}`)
  const data = {
    to: delivery.address,
    subject: delivery.email.subject,
    method,
    ...(topicId ? { topicId: encodeId("top", topicId) } : {}),
    ...(isSimulated ? { simulator: "true" } : {}),
  }
  const { id: deliveryId, emailId } = delivery
  await addEvents(scope, [{ id: eventId, emailId, deliveryId, type: "unsubscribed", data }], tx)
}

/** How a project presents itself to recipients. */
export type Brand = { name: string; color: string | null; hasLogo: boolean }

/** The mail behind a link, with what its pages need. */
export type LinkedMail = {
  projectId: string
  organizationId: string
  /** As in the From field. */
  sender: string
  recipient: string
  /** Canonical form of the recipient. */
  email: string
  /** The topic of the mail, unless it was deleted. */
  topic: { id: string; name: string } | null
  brand: Brand
}

/** Null once the mail is deleted. Not in a scope, because a link names nothing but its delivery. */
export async function findMail(deliveryId: string): Promise<LinkedMail | null> {
  const delivery = await unscoped().delivery.findUnique({
    where: { id: deliveryId },
    select: { projectId: true, address: true, canonical: true, email: { select: { fromHeader: true, topicId: true } } },
  })
  if (!delivery) return null
  const { projectId, address, canonical, email } = delivery
  const [project, topic] = await Promise.all([findBrand(projectId), findTopic(projectId, email.topicId)])
  return shown<LinkedMail>()({
    projectId,
    organizationId: project.organizationId,
    sender: email.fromHeader,
    recipient: address,
    email: canonical,
    topic,
    brand: project.brand,
  })
}

/** The logo of the project that a mail came from; null where there is none. */
export async function findLogo(deliveryId: string): Promise<{ bytes: Uint8Array<ArrayBuffer>; type: string } | null> {
  const delivery = await unscoped().delivery.findUnique({ where: { id: deliveryId }, select: { projectId: true } })
  if (!delivery) return null
  const project = await unscoped().project.findUnique({
    where: { id: delivery.projectId },
    select: { brandLogo: true, brandLogoType: true },
  })
  return project?.brandLogo && project.brandLogoType ? { bytes: project.brandLogo, type: project.brandLogoType } : null
}

async function findBrand(projectId: string): Promise<{ organizationId: string; brand: Brand }> {
  const { organizationId, name, brandName, brandColor, brandLogoType } = await unscoped().project.findUniqueOrThrow({
    where: { id: projectId },
    select: { organizationId: true, name: true, brandName: true, brandColor: true, brandLogoType: true },
  })
  // The type is stored with the logo, which may be large.
  return { organizationId, brand: { name: brandName ?? name, color: brandColor, hasLogo: brandLogoType !== null } }
}

async function findTopic(projectId: string, id: string | null): Promise<LinkedMail["topic"]> {
  if (id === null) return null
  return db({ project: { id: projectId } }).topic.findUnique({
    where: { id, deletedAt: null },
    select: { id: true, name: true },
  })
}

export type ShownTopic = { topicId: string; name: string; description: string | null; subscribed: boolean }

export type Preferences = {
  topics: ShownTopic[]
  /** From all of them, by the recipient's own wish. */
  unsubscribed: boolean
  /** Why the address is suppressed besides, which the recipient cannot undo. */
  otherReason: Exclude<SuppressionReason, "unsubscribe"> | null
}

/**
 * What the recipient of a mail sees: public topics and the mail's own, whether they have unsubscribed from all, and what
 * else keeps mail away. An unsubscribe may be behind a complaint on the list.
 */
export async function readPreferences(mail: LinkedMail): Promise<Preferences> {
  const { email } = mail
  const [contact, suppression] = await Promise.all([
    inProject(mail).contact.findFirst({ where: { email }, select: { id: true, unsubscribed: true } }),
    inProject(mail).suppression.findFirst({ where: { email }, select: { reason: true, alsoUnsubscribed: true } }),
  ])
  const reason = suppression && storedReason(suppression.reason)
  const states = await shownStates(mail, contact && contact.id)
  return {
    topics: states.map((state) => ({ ...state, subscribed: isSubscribed(state, mail, contact !== null) })),
    unsubscribed: contact?.unsubscribed === true || reason === "unsubscribe" || suppression?.alsoUnsubscribed === true,
    otherReason: reason === "unsubscribe" ? null : reason,
  }
}

/** A plain address gets the topic whose mail it has, until it leaves: the topic's default is for contacts. */
function isSubscribed(state: TopicState, mail: LinkedMail, isContact: boolean): boolean {
  return state.subscription === "opt_in" || (!isContact && !state.explicit && state.topicId === mail.topic?.id)
}

/**
 * Stores what the recipient of a delivery chose among the topics that the page showed. Only what differs becomes a
 * preference; an address that is no contact becomes one, because preferences belong to contacts. Leaving the topic of the
 * mail is recorded as by the button.
 */
export async function savePreferences(
  deliveryId: string,
  mail: LinkedMail,
  { shown, wanted }: { shown: ReadonlySet<string>; wanted: ReadonlySet<string> },
): Promise<void> {
  const delivery = await findDelivery(deliveryId)
  if (!delivery) return
  const scope = { project: { id: mail.projectId } }
  await db(scope).$transaction(async (tx) => {
    await lockAddresses(mail.projectId, [mail.email], tx)
    const isContact = (await lockContact(mail.projectId, { email: mail.email }, tx)) !== null
    const contactId = await contactOf(tx, mail)
    const states = await shownStates(mail, contactId, tx)
    const changed = states.flatMap(({ topicId, subscription }): Preference[] => {
      const chosen = wanted.has(topicId) ? "opt_in" : "opt_out"
      return shown.has(topicId) && chosen !== subscription ? [{ topicId, subscription: chosen }] : []
    })
    await setPreferences(mail.projectId, contactId, changed, { on: tx })
    const own = states.find(({ topicId }) => topicId === mail.topic?.id)
    if (!own || !shown.has(own.topicId) || wanted.has(own.topicId) || !isSubscribed(own, mail, isContact)) return
    const { emailId } = delivery
    if (await hasEvent(scope, { emailId, deliveryId, type: "unsubscribed" }, tx)) return
    await recordEvent(scope, { delivery, eventId: newId(), method: "page", topicId: own.topicId }, tx)
  })
}

/** Undoes that a recipient has unsubscribed from all; any other suppression remains and keeps mail away as before. */
export async function resubscribe(mail: LinkedMail, ip: string): Promise<void> {
  await inProject(mail).$transaction(async (tx) => {
    await lockAddresses(mail.projectId, [mail.email], tx)
    const contact = await lockContact(mail.projectId, { email: mail.email }, tx)
    const { removed, hidden } = await subscribeAgain(mail.projectId, mail.email, tx)
    if (!removed && !hidden && !contact?.unsubscribed) return
    const at = { organizationId: mail.organizationId, projectId: mail.projectId, ip }
    const entry: NewAuditEntry =
      removed || !contact
        ? { action: "suppressions.remove", target: mail.email, changes: { reason: "unsubscribe" } }
        : {
            action: "contact.resubscribed",
            target: encodeId("con", contact.id),
            changes: { email: mail.email, unsubscribed: [true, false] },
          }
    await addRecipientAudit(at, entry, tx)
  })
}

/** Takes an address out of a topic: its contact, or itself where it is none. The transaction holds its lock. */
async function leaveTopic(tx: ScopedDb, given: { projectId: string; email: string; topicId: string }): Promise<void> {
  const contact = await lockContact(given.projectId, { email: given.email }, tx)
  if (!contact) return optOut(given.topicId, given.email, tx)
  await setPreferences(given.projectId, contact.id, [{ topicId: given.topicId, subscription: "opt_out" }], { on: tx })
}

/** The contact of the recipient, locked; made if there is none. */
async function contactOf(tx: ScopedDb, mail: Pick<LinkedMail, "projectId" | "email">): Promise<string> {
  const by = { email: mail.email }
  const known = await lockContact(mail.projectId, by, tx)
  const contact = known ?? (await insertContact(mail.projectId, by, tx)) ?? (await lockContact(mail.projectId, by, tx))
  if (!contact) throw new Error(`The contact of ${encodeId("proj", mail.projectId)} was added and deleted at once.`)
  return contact.id
}

function inProject({ projectId }: LinkedMail): ScopedDb {
  return db({ project: { id: projectId } })
}

async function shownStates(mail: LinkedMail, contactId: string | null, on?: ScopedDb) {
  const scope = { project: { id: mail.projectId } }
  const states = await topicStates(scope, contactId ? { contactId } : { email: mail.email }, on)
  return states.filter(({ topicId, visibility }) => visibility === "public" || topicId === mail.topic?.id)
}

/** What is known of the reading of an email. */
export type EmailReading = {
  short: boolean
  readings: ImageReading[]
  readMs: number | null
  engagedAt: Date | null
  userAgent: string | null
}

/** Of an email that was not tracked, nothing is known. */
export async function findReading(scope: Scope, emailId: string): Promise<EmailReading> {
  const [tracked, engagement] = await Promise.all([
    db(scope).trackedEmail.findUnique({ where: { projectId_emailId: { emailId } }, select: { short: true } }),
    db(scope).emailEngagement.findUnique({
      where: { projectId_emailId: { emailId } },
      select: { readings: true, readMs: true, engagedAt: true, userAgent: true },
    }),
  ])
  const nothing = { readMs: null, engagedAt: null, userAgent: null }
  return { short: tracked?.short ?? false, ...(engagement ?? nothing), readings: readingsOf(engagement?.readings) }
}

/** This area alone writes them. */
function readingsOf(json: Prisma.JsonValue | undefined): ImageReading[] {
  return (json ?? []) as ImageReading[]
}

/** An average needs no more than the latest. */
const measuredMax = 10_000

/** Seconds that emails of a topic were read for, on average of those whose first reading was measured in a window; null for none. */
export async function averageReadSeconds(
  scope: Scope,
  topicId: string,
  { from, to }: { from: Date; to: Date },
): Promise<number | null> {
  const { _avg: average } = await db(scope).emailEngagement.aggregate({
    where: { topicId, readAt: { gte: from, lte: to } },
    orderBy: { readAt: "desc" },
    take: measuredMax,
    _avg: { readMs: true },
  })
  return average.readMs === null ? null : average.readMs / 1_000
}

/** Hosts for tracked links of every project's domains whose ownership is proven. */
export async function findTrackingHosts(): Promise<string[]> {
  const rows = await unscoped().domain.findMany({
    where: { status: { in: ["verified", "degraded"] }, project: { suspendedAt: null, deletedAt: null } },
    select: { trackingDomain: true },
    distinct: ["trackingDomain"],
  })
  return rows.map(({ trackingDomain }) => trackingDomain)
}

// On `pg`, because people wait for links that they have followed.

/** The address of the cell that a delivery's organization was moved to; null while it is here. */
export async function findCellOf(deliveryId: string): Promise<string | null> {
  const { rows } = await pool().query<{ address: string | null }>({
    name: "tracking.find_cell",
    text: `SELECT m.address FROM deliveries d JOIN projects p ON p.id = d.project_id
      JOIN cell_moves m ON m.organization_id = p.organization_id AND m.state IN ('left', 'returning') WHERE d.id = $1`,
    values: [deliveryId],
  })
  return rows[0]?.address ?? null
}

/** Where a tracked link leads. `disabled`: its project is suspended or being deleted; `moved`: the address of the cell that its organization is in now. */
export type LinkTarget = { url: string; host: string | null; disabled: boolean; moved: string | null }

/**
 * The targets of links, null for one that is not known. On `pg`, over all projects, because a link names its delivery alone and
 * a person waits for the response.
 */
export async function findTargets(
  links: readonly { deliveryId: string; number: number }[],
): Promise<(LinkTarget | null)[]> {
  const { rows } = await pool().query<LinkTarget & { place: number }>({
    name: "tracking.find_targets",
    // Each by its keys, whatever the planner thinks of lists.
    text: `SELECT l.place::int, found.* FROM unnest($1::uuid[], $2::int[]) WITH ORDINALITY AS l(delivery_id, number, place)
      CROSS JOIN LATERAL (
        SELECT t.urls[l.number + 1] AS url, t.host, p.suspended_at IS NOT NULL OR p.deleted_at IS NOT NULL AND m.state IS NULL AS disabled,
            CASE WHEN m.state IN ('left', 'returning') THEN m.address END AS moved
          FROM deliveries d JOIN tracked_emails t ON t.project_id = d.project_id AND t.email_id = d.email_id
          JOIN projects p ON p.id = d.project_id
          LEFT JOIN cell_moves m ON m.organization_id = p.organization_id AND m.state IN ('held', 'left', 'returning')
          WHERE d.id = l.delivery_id AND t.urls[l.number + 1] IS NOT NULL LIMIT 1
      ) found`,
    values: [links.map(({ deliveryId }) => deliveryId), links.map(({ number }) => number)],
  })
  const byPlace = new Map(rows.map(({ place, ...target }) => [place, target]))
  return links.map((_, at) => byPlace.get(at + 1) ?? null)
}
