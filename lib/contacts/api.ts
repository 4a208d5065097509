import { z } from "zod"
import { buckets, exported } from "@/lib/access/limits/data"
import { allow } from "@/lib/access/permissions"
import { projectMissing } from "@/lib/access/problems"
import { parseAddress } from "@/lib/addresses/address"
import * as properties from "@/lib/contact-properties/data"
import { declaredProperties } from "@/lib/contact-properties/data"
import { propertyMissing } from "@/lib/contact-properties/schema"
import * as contacts from "@/lib/contacts/data"
import { addContact, addOrChangeContact, changeContact, removeValues, findContactEmail } from "@/lib/contacts/data"
import { columns } from "@/lib/contacts/imports/file-rules"
import * as lists from "@/lib/contacts/list/data"
import { type ContactFilter, eachContact, findContact } from "@/lib/contacts/list/data"
import { checkProperties, planOf, propertyPlan } from "@/lib/contacts/plan"
import {
  Contact,
  ContactChange,
  contactMissing,
  ContactPage,
  contactTaken,
  ContactUpsert,
  NewContact,
  EngagementScore,
} from "@/lib/contacts/schema"
import { csvDownload } from "@/lib/platform/download"
import { cursorsOf, cursorMissing, type CursorPosition, readCursor, writeCursor } from "@/lib/platform/http/cursors"
import { endpoint, Reply } from "@/lib/platform/http/endpoint"
import { cursorParameter, page, pageQuery } from "@/lib/platform/http/paging"
import { requestInvalid } from "@/lib/platform/http/problems"
import type { Scope } from "@/lib/platform/http/scope"
import { encodeId } from "@/lib/platform/ids"
import { id, trueOrFalse } from "@/lib/platform/schema"
import * as engagement from "@/lib/contacts/engagement/data"
import { dayMs } from "@/lib/platform/time"
import { renewSegmentsOfProperty } from "@/lib/segments/passes/data"

/** The query parameters that choose among the contacts of a project; all are additive. */
function contactFilterQuery() {
  return {
    email: z.string().min(1).max(320).optional().describe("Exact address, compared without case."),
    search: z
      .string()
      .trim()
      .min(1)
      .max(100)
      .optional()
      .describe("Part of the address or of the name, compared without case."),
    segmentId: id("seg").optional().describe("Members of this segment."),
    topicId: id("top")
      .optional()
      .describe("Contacts subscribed to this topic, by their own preference or by its default."),
    unsubscribed: trueOrFalse().optional(),
  }
}

/** The filter of these parameters; an invalid address matches no contact. */
function filterOf({ email, search, segmentId, topicId, unsubscribed }: ContactFilter): ContactFilter {
  const address = email === undefined ? undefined : parseAddress(email)
  return { email: address && (address.ok ? address.canonical : ""), search, segmentId, topicId, unsubscribed }
}

function collectionOf(scope: Scope, filter: ContactFilter): string {
  return `${scope.project.id}|contacts|${JSON.stringify(filter)}`
}

/** The cursor of `listContacts` at a contact of this list, for who knows no more of it than its id. */
export function contactsCursor(
  scope: Scope,
  filter: Pick<ContactFilter, "segmentId">,
  contactId: string,
  direction: CursorPosition["direction"],
): string {
  return writeCursor(collectionOf(scope, filterOf(filter)), { key: contactId, direction })
}

export const listContacts = endpoint({
  route: "GET /v1/projects/{projectId}/contacts",
  operationId: "listContacts",
  tag: "Contacts",
  summary: "List contacts",
  description:
    "Newest first. The filters are additive; a contact must match all of them. `total` is exact without a filter and with only one of `segmentId`, `topicId` or `unsubscribed`; otherwise it stops at 10,000. `after` continues from a cursor instead of a `page`: deep pages cost as much as the first, and contacts that are added or removed meanwhile do not shift the pages.",
  access: allow("contacts:read"),
  bucket: buckets.contacts,
  query: {
    ...pageQuery(),
    after: cursorParameter().describe(
      "Additive: a cursor from an earlier response with the same filters, unchanged. `page` is then ignored.",
    ),
    ...contactFilterQuery(),
  },
  answers: [200, ContactPage],
  problems: [projectMissing, cursorMissing],

  async run(scope, { query }) {
    const filter = filterOf(query)
    const collection = collectionOf(scope, filter)
    const idOf = ({ id }: Contact) => id
    if (query.after === undefined) {
      const { data, total } = await lists.readContactPage(scope, filter, query)
      const paged = page(query, data, total)
      const beside = { before: paged.page.hasPreviousPage, after: paged.page.hasNextPage }
      return { ...paged, cursor: cursorsOf(collection, { rows: paged.data, ...beside }, idOf, null) }
    }
    const position = readCursor(collection, query.after)
    const { slice, total } = await lists.readContacts(scope, filter, position, query.size)
    const cursor = cursorsOf(collection, slice, idOf, position)
    const { hasNextPage, hasPreviousPage } = cursor
    return { data: slice.rows, page: { ...page(query, [], total).page, hasNextPage, hasPreviousPage }, cursor }
  },
})

export const createContact = endpoint({
  route: "POST /v1/projects/{projectId}/contacts",
  operationId: "createContact",
  tag: "Contacts",
  summary: "Create contact",
  description:
    "The address is unique in the project in its canonical form (lower case). Only properties that the project defines are accepted, with values as text. An address that unsubscribed from the project earlier starts unsubscribed, whatever the body says; `PATCH` with `unsubscribed: false` subscribes it again.",
  access: allow("contacts:write"),
  bucket: buckets.contacts,
  body: NewContact,
  answers: [201, Contact],
  location: "/v1/projects/{projectId}/contacts/{id}",
  problems: [requestInvalid, projectMissing, contactMissing, contactTaken],
  example: { body: { email: "ada@lovelace.example", firstName: "Ada", lastName: "Lovelace" } },

  async run(scope, { body }) {
    const plan = await planOf(scope, body)
    const contact = await addContact(scope, plan)
    if (!contact) throw contactTaken(`${plan.email} is a contact of this project already.`)
    return contact
  },
})

export const upsertContact = endpoint({
  route: "PUT /v1/projects/{projectId}/contacts",
  operationId: "upsertContact",
  tag: "Contacts",
  summary: "Add or change contact by address",
  description:
    "Creates the contact, or updates the one with this address. Properties are merged key by key, segments are added, preferences are set; omitted fields are unchanged, including `unsubscribed`. Additive, like the upserts of HubSpot and Customer.io.",
  access: allow("contacts:write"),
  bucket: buckets.contacts,
  body: ContactUpsert,
  answers: [200, Contact],
  problems: [requestInvalid, projectMissing, contactMissing],
  additive: true,
  example: { body: { email: "ada@lovelace.example", firstName: "Ada" } },

  async run(scope, { body }) {
    const contact = await addOrChangeContact(scope, await planOf(scope, body))
    if (!contact) throw contactMissing()
    return contact
  },
})

export const exportContacts = endpoint({
  route: "GET /v1/projects/{projectId}/contacts/export",
  operationId: "exportContacts",
  tag: "Contacts",
  summary: "Export contacts",
  description:
    "Contacts as CSV (RFC 4180, UTF-8), newest first, with the filters of the list and a column for each property. It is streamed, so it can have any length. Values are the contact's own: if only the fallback of a property applies, the cell is empty. A cell that a spreadsheet would run as a formula begins with an apostrophe. The file can be imported without changes, which restores email, names, phone, `unsubscribed` and properties character by character. An empty string becomes no value; segments, times and ids are not imported; a cell with U+FFFD is rejected.",
  access: allow("contacts:read"),
  bucket: buckets.contacts,
  strictQuery: true,
  query: contactFilterQuery(),
  answers: [200, undefined, "text/csv"],
  problems: [projectMissing],
  additive: true,

  async run(scope, { query }) {
    const keys = [...(await declaredProperties(scope.project.id)).keys()]
    return csvDownload({
      filename: `contacts-${encodeId("proj", scope.project.id)}.csv`,
      columns: [...columns, ...keys, "segments", "createdAt", "updatedAt", "id"],
      groups: exported(scope, eachContact(scope, filterOf(query))),
      cellsOf: (contact) => cellsOf(contact, keys),
    })
  },
})

function cellsOf(contact: Contact, keys: readonly string[]): string[] {
  const { id, properties, segments, createdAt, updatedAt } = contact
  return [
    ...columns.map((column) => String(contact[column] ?? "")),
    ...keys.map((key) => properties[key] ?? ""),
    segments.map((segment) => encodeId("seg", segment)).join(" "),
    createdAt.toISOString(),
    updatedAt.toISOString(),
    encodeId("con", id),
  ]
}

export const getContact = endpoint({
  route: "GET /v1/projects/{projectId}/contacts/{contactId}",
  operationId: "getContact",
  tag: "Contacts",
  summary: "Get contact",
  description: "One contact with its properties and explicit topic preferences.",
  access: allow("contacts:read"),
  bucket: buckets.contacts,
  path: { contactId: { prefix: "con", missing: contactMissing } },
  answers: [200, Contact],
  problems: [projectMissing, contactMissing],

  async run(scope, { path }) {
    const contact = await findContact(scope, path.contactId)
    if (!contact) throw contactMissing()
    return contact
  },
})

export const updateContact = endpoint({
  route: "PATCH /v1/projects/{projectId}/contacts/{contactId}",
  operationId: "updateContact",
  tag: "Contacts",
  summary: "Update contact",
  description:
    "Omitted fields are unchanged, `null` clears a name or the phone, `properties` replaces the whole map, `propertyChanges` touches only the keys that it names. `unsubscribed: true` suppresses the address with the reason `unsubscribe`; `false` removes that suppression and no other. The address is permanent.",
  access: allow("contacts:write"),
  bucket: buckets.contacts,
  path: { contactId: { prefix: "con", missing: contactMissing } },
  body: ContactChange,
  answers: [200, Contact],
  problems: [requestInvalid, projectMissing, contactMissing],
  example: { body: { lastName: "Lovelace" } },

  async run(scope, { path, body }) {
    const { propertyChanges, ...change } = body
    if (change.properties) await checkProperties(scope, change.properties)
    const merged = propertyChanges && (await propertyPlan(scope, propertyChanges, change.properties !== undefined))
    const way = merged ? "merge" : "replace"
    const contact = await changeContact(scope, path.contactId, { ...change, ...merged }, way)
    if (!contact) throw contactMissing()
    return contact
  },
})

export const deleteContact = endpoint({
  route: "DELETE /v1/projects/{projectId}/contacts/{contactId}",
  operationId: "deleteContact",
  tag: "Contacts",
  summary: "Delete contact",
  description:
    "Permanent; also deletes property values, memberships and preferences. A suppressed address stays suppressed and unsubscribed from the topics it left, so that a deleted contact does not receive email again by mistake.",
  access: allow("contacts:write"),
  bucket: buckets.contacts,
  path: { contactId: { prefix: "con", missing: contactMissing } },
  answers: [204],
  problems: [projectMissing, contactMissing],

  async run(scope, { path }) {
    if (!(await contacts.removeContact(scope, path.contactId))) throw contactMissing()
  },
})

const waitMs = 2_000

/** Here and not among contact properties, because contacts are above them and store the values. */
export const deleteContactProperty = endpoint({
  route: "DELETE /v1/projects/{projectId}/contact-properties/{propertyId}",
  operationId: "deleteContactProperty",
  tag: "Contact properties",
  summary: "Delete contact property",
  description:
    "Permanent; no contact shows a value of it from now on. A segment's filter that names it matches nobody from then on, until it is changed. A small number of stored values is removed before the response, more of them in the background: until then the key cannot be defined again.",
  access: allow("contacts:write"),
  bucket: buckets.contactProperties,
  path: { propertyId: { prefix: "prop", missing: propertyMissing } },
  answers: [204],
  problems: [projectMissing, propertyMissing],

  async run(scope, { path }) {
    if (!(await properties.hideProperty(scope, path.propertyId, renewSegmentsOfProperty))) throw propertyMissing()
    await removeValues(waitMs, path.propertyId)
  },
})

const contactId = { prefix: "con", missing: contactMissing } as const

/** A stored score is valid for so long. */
const scoreHoldsMs = dayMs

export const getContactEngagementScore = endpoint({
  route: "GET /v1/projects/{projectId}/contacts/{contactId}/engagement",
  operationId: "getContactEngagementScore",
  tag: "Contacts",
  summary: "Contact engagement score",
  description:
    "0 to 100, from opens, clicks, bounces and complaints of the last 90 days; opens by machines do not count. `new` until three messages were delivered, then `cold` below 25, `cool` below 50, `warm` below 75, `hot`. Recomputed after its email events and once a day. 204 if nothing was ever sent.",
  access: allow("contacts:read"),
  bucket: buckets.contacts,
  path: { contactId },
  answers: [200, EngagementScore],
  orEmpty: 204,
  problems: [projectMissing, contactMissing],

  async run(scope, { path }, { clock }) {
    const email = await findContactEmail(scope, path.contactId)
    if (!email) throw contactMissing()
    const since = new Date(clock.now().getTime() - scoreHoldsMs)
    const stored = await engagement.storedScore(scope, path.contactId, since)
    return stored ?? (await engagement.refreshScore(scope, path.contactId, email, clock.now())) ?? new Reply(204)
  },
})

export const refreshContactEngagementScore = endpoint({
  route: "POST /v1/projects/{projectId}/contacts/{contactId}/engagement/refresh",
  operationId: "refreshContactEngagementScore",
  tag: "Contacts",
  summary: "Recompute engagement score",
  description: "Computes the score now and stores it. 204 if nothing was ever sent.",
  access: allow("contacts:write"),
  bucket: buckets.contacts,
  path: { contactId },
  answers: [200, EngagementScore],
  orEmpty: 204,
  problems: [projectMissing, contactMissing],

  async run(scope, { path }, { clock }) {
    const email = await findContactEmail(scope, path.contactId)
    if (!email) throw contactMissing()
    return (await engagement.refreshScore(scope, path.contactId, email, clock.now())) ?? new Reply(204)
  },
})
