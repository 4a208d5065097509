import { z } from "zod"
import type { Api } from "@/lib/api/registry"
import {
  contactsCursor,
  createContact,
  deleteContact,
  getContact,
  listContacts,
  updateContact,
} from "@/lib/contacts/api"
import { contactMissing } from "@/lib/contacts/schema"
import { call, type FieldNames, like, given } from "@/lib/faces/face"
import { ResendAnswer, type ListQuery, listQuery, everyItem, listed } from "@/lib/faces/resend/list"
import { endpoint } from "@/lib/platform/http/endpoint"
import { fieldsInvalid } from "@/lib/platform/http/problems"
import type { Scope } from "@/lib/platform/http/scope"
import { decodeId } from "@/lib/platform/ids"
import type { Io } from "@/lib/platform/io"
import {
  addContactToSegment,
  getContactTopics,
  listContactSegments,
  removeContactFromSegment,
  updateContactTopics,
} from "@/lib/contacts/memberships/api"
import { listSegments } from "@/lib/segments/api"
import { listTopics } from "@/lib/topics/api"
import { decimalNumber } from "@/lib/platform/schema"

const values = z.record(z.string(), z.union([z.string(), decimalNumber, z.null()]))

const ContactFields = z.strictObject({
  first_name: z.string().nullable().optional().describe("`firstName`."),
  last_name: z.string().nullable().optional().describe("`lastName`."),
  unsubscribed: z.boolean().optional().describe("`unsubscribed`."),
  properties: values.optional().describe("`properties`: those that are named are set, `null` clears one."),
})

const NewAudienceContact = ContactFields.extend({ email: z.string().describe("`email`.") })

export const ResendContact = NewAudienceContact.extend({
  segments: z
    .array(z.strictObject({ id: z.string() }))
    .optional()
    .describe("`segments`."),
  topics: z
    .array(z.strictObject({ id: z.string(), subscription: z.string() }))
    .optional()
    .describe("`topics`."),
})

const names: FieldNames = { firstName: "first_name", lastName: "last_name", propertyChanges: "properties" }

type Contact = Api["GET /v1/projects/{projectId}/contacts/{contactId}"]["answer"]

function shown({ id, email, firstName, lastName, createdAt, unsubscribed, properties }: Contact): ResendAnswer {
  return {
    ...{ id, email, first_name: firstName ?? null, last_name: lastName ?? null, created_at: createdAt, unsubscribed },
    properties: Object.fromEntries(Object.entries(properties).map(([key, value]) => [key, { type: "string", value }])),
  }
}

/** The id of a contact that a path names by its id or its address. */
async function contactIdOf(scope: Scope, named: string, io: Io): Promise<string> {
  if (!named.includes("@")) return named
  const { data } = await call(scope, listContacts, { query: { email: named, size: "1" } }, io)
  if (!data[0]) throw contactMissing(`This project has no contact with the address ${named}.`)
  return data[0].id
}

/** What names a contact reads the list, and needs the permission for it. */
const byName = [listContacts, getContact] as const

type NewContact = z.output<typeof ResendContact>

async function create(scope: Scope, { properties = {}, ...body }: NewContact, io: Io): Promise<ResendAnswer> {
  const kept = Object.entries(properties).flatMap(([key, value]) => (value === null ? [] : [[key, String(value)]]))
  const contact = given({
    ...{ email: body.email, unsubscribed: body.unsubscribed, segments: body.segments, topics: body.topics },
    ...{ firstName: body.first_name ?? undefined, lastName: body.last_name ?? undefined },
    properties: Object.fromEntries(kept),
  })
  const { id } = await call(scope, createContact, { body: contact, names }, io)
  return { object: "contact", id }
}

async function update(
  scope: Scope,
  named: string,
  body: z.output<typeof ContactFields>,
  io: Io,
): Promise<ResendAnswer> {
  const contactId = await contactIdOf(scope, named, io)
  const { properties } = body
  const changes =
    properties &&
    Object.fromEntries(Object.entries(properties).map(([key, value]) => [key, value === null ? null : String(value)]))
  const change = given({
    ...{ firstName: body.first_name, lastName: body.last_name, unsubscribed: body.unsubscribed },
    propertyChanges: changes,
  })
  const { id } = await call(scope, updateContact, { path: { contactId }, body: change, names }, io)
  return { object: "contact", id }
}

async function read(scope: Scope, named: string, io: Io): Promise<ResendAnswer> {
  const contactId = await contactIdOf(scope, named, io)
  return { object: "contact", ...shown(await call(scope, getContact, { path: { contactId } }, io)) }
}

async function remove(scope: Scope, named: string, io: Io): Promise<ResendAnswer> {
  const contactId = await contactIdOf(scope, named, io)
  await call(scope, deleteContact, { path: { contactId } }, io)
  return { object: "contact", contact: contactId, deleted: true }
}

/** From the contact that the query names, whether there are two or a million before it. */
async function list(scope: Scope, query: ListQuery, segmentId: string | undefined, io: Io): Promise<ResendAnswer> {
  const { limit, after, before } = query
  if (after !== undefined && before !== undefined)
    throw fieldsInvalid([{ pointer: "query/before", detail: "Give after or before, not both." }])
  const at = after ?? before
  const contactId = at === undefined ? null : decodeId("con", at)
  if (at !== undefined && contactId === null)
    throw fieldsInvalid([{ pointer: after ? "query/after" : "query/before", detail: "Must be the id of a contact." }])
  const segment = segmentId === undefined ? undefined : (decodeId("seg", segmentId) ?? undefined)
  const cursor =
    contactId && contactsCursor(scope, { segmentId: segment }, contactId, after === undefined ? "previous" : "next")
  const page = given({ size: String(limit), segmentId, after: cursor ?? undefined })
  const { data, page: info } = await call(scope, listContacts, { query: page }, io)
  const hasMore = before === undefined ? info.hasNextPage : info.hasPreviousPage
  return { object: "list", has_more: hasMore, data: data.map(shown) }
}

const creating = { ...like(createContact), answers: [200, ResendAnswer] } as const
const changing = { ...like(updateContact, ...byName), body: ContactFields, answers: [200, ResendAnswer] } as const
const reading = { ...like(getContact, ...byName), answers: [200, ResendAnswer] } as const
const listing = { ...like(listContacts), strictQuery: true, query: listQuery, answers: [200, ResendAnswer] } as const
const removing = { ...like(deleteContact, ...byName), answers: [200, ResendAnswer] } as const

export const resendContacts = [
  endpoint({
    ...creating,
    route: "POST /resend/contacts",
    operationId: "resendCreateContact",
    summary: "Create a contact",
    body: ResendContact,
    run: (scope, { body }, io) => create(scope, body, io),
  }),
  endpoint({
    ...creating,
    route: "POST /resend/audiences/{segmentId}/contacts",
    operationId: "resendCreateAudienceContact",
    summary: "Create a contact in a segment",
    body: NewAudienceContact,
    run: (scope, { path, body }, io) => create(scope, { ...body, segments: [{ id: path.segmentId }] }, io),
  }),
  endpoint({
    ...listing,
    route: "GET /resend/contacts",
    operationId: "resendListContacts",
    summary: "List contacts",
    run: (scope, { query }, io) => list(scope, query, undefined, io),
  }),
  endpoint({
    ...listing,
    route: "GET /resend/segments/{segmentId}/contacts",
    operationId: "resendListSegmentContacts",
    summary: "List contacts of a segment",
    run: (scope, { path, query }, io) => list(scope, query, path.segmentId, io),
  }),
  endpoint({
    ...reading,
    route: "GET /resend/contacts/{contact}",
    operationId: "resendGetContact",
    summary: "Get a contact",
    run: (scope, { path }, io) => read(scope, path.contact, io),
  }),
  endpoint({
    ...reading,
    route: "GET /resend/audiences/{segmentId}/contacts/{contact}",
    operationId: "resendGetAudienceContact",
    summary: "Get a contact of a segment",
    run: (scope, { path }, io) => read(scope, path.contact, io),
  }),
  endpoint({
    ...changing,
    route: "PATCH /resend/contacts/{contact}",
    operationId: "resendUpdateContact",
    summary: "Update a contact",
    run: (scope, { path, body }, io) => update(scope, path.contact, body, io),
  }),
  endpoint({
    ...changing,
    route: "PATCH /resend/audiences/{segmentId}/contacts/{contact}",
    operationId: "resendUpdateAudienceContact",
    summary: "Update a contact of a segment",
    run: (scope, { path, body }, io) => update(scope, path.contact, body, io),
  }),
  endpoint({
    ...removing,
    route: "DELETE /resend/contacts/{contact}",
    operationId: "resendDeleteContact",
    summary: "Delete a contact",
    run: (scope, { path }, io) => remove(scope, path.contact, io),
  }),
  endpoint({
    ...removing,
    route: "DELETE /resend/audiences/{segmentId}/contacts/{contact}",
    operationId: "resendDeleteAudienceContact",
    summary: "Delete a contact of a segment",
    run: (scope, { path }, io) => remove(scope, path.contact, io),
  }),
] as const

const answers = [200, ResendAnswer] as const

/** A list that is read as a whole, by pages. */
function pagesOf<T>(all: readonly T[]) {
  return async ({ page, size }: { page: string; size: string }) => {
    const from = (Number(page) - 1) * Number(size)
    const to = from + Number(size)
    return { data: all.slice(from, to), page: { hasNextPage: to < all.length } }
  }
}

export const resendMemberships = [
  endpoint({
    ...like(listContactSegments, listSegments, ...byName),
    route: "GET /resend/contacts/{contact}/segments",
    operationId: "resendListContactSegments",
    summary: "List segments of a contact",
    strictQuery: true,
    query: listQuery,
    answers,

    async run(scope, { path, query }, io) {
      const contactId = await contactIdOf(scope, path.contact, io)
      const ids = new Set(await call(scope, listContactSegments, { path: { contactId } }, io))
      const all = await everyItem((page) => call(scope, listSegments, { query: page }, io))
      const read = pagesOf(all.filter(({ id }) => ids.has(id)))
      return listed(query, read, ({ id, name, createdAt }) => ({ id, name, created_at: createdAt }))
    },
  }),
  endpoint({
    ...like(addContactToSegment, ...byName),
    route: "POST /resend/contacts/{contact}/segments/{segmentId}",
    operationId: "resendAddContactToSegment",
    summary: "Add a contact to a segment",
    answers,

    async run(scope, { path: { contact, segmentId } }, io) {
      const contactId = await contactIdOf(scope, contact, io)
      await call(scope, addContactToSegment, { path: { contactId }, body: { segmentId } }, io)
      return { id: segmentId }
    },
  }),
  endpoint({
    ...like(removeContactFromSegment, ...byName),
    route: "DELETE /resend/contacts/{contact}/segments/{segmentId}",
    operationId: "resendRemoveContactFromSegment",
    summary: "Remove a contact from a segment",
    answers,

    async run(scope, { path: { contact, segmentId } }, io) {
      const contactId = await contactIdOf(scope, contact, io)
      await call(scope, removeContactFromSegment, { path: { contactId, segmentId } }, io)
      return { id: segmentId, deleted: true }
    },
  }),
  endpoint({
    ...like(getContactTopics, listTopics, ...byName),
    route: "GET /resend/contacts/{contact}/topics",
    operationId: "resendListContactTopics",
    summary: "List topics of a contact",
    strictQuery: true,
    query: listQuery,
    answers,

    async run(scope, { path, query }, io) {
      const contactId = await contactIdOf(scope, path.contact, io)
      const states = await call(scope, getContactTopics, { path: { contactId } }, io)
      const byId = new Map(states.map(({ topicId, subscription }) => [topicId, subscription]))
      const all = await everyItem((page) => call(scope, listTopics, { query: page }, io))
      return listed(query, pagesOf(all), ({ id, name, description = null, defaultSubscription }) => ({
        ...{ id, name, description, subscription: byId.get(id) ?? defaultSubscription },
      }))
    },
  }),
  endpoint({
    ...like(updateContactTopics, ...byName),
    route: "PATCH /resend/contacts/{contact}/topics",
    operationId: "resendUpdateContactTopics",
    summary: "Update topics of a contact",
    body: z.array(z.strictObject({ id: z.string(), subscription: z.string() })).max(500),
    answers,

    async run(scope, { path, body }, io) {
      const contactId = await contactIdOf(scope, path.contact, io)
      await call(scope, updateContactTopics, { path: { contactId }, body: { topics: body } }, io)
      return { id: contactId }
    },
  }),
] as const
