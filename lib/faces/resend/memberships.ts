import { z } from "zod"
import { getContact, listContacts } from "@/lib/contacts/api"
import {
  addContactToSegment,
  getContactTopics,
  listContactSegments,
  removeContactFromSegment,
  updateContactTopics,
} from "@/lib/contacts/memberships/api"
import { call, like } from "@/lib/faces/call"
import { contactIdOf } from "@/lib/faces/resend/contacts"
import { ResendAnswer, everyItem, listed, listQuery } from "@/lib/faces/resend/list"
import { endpoint } from "@/lib/platform/http/endpoint"
import { listSegments } from "@/lib/segments/api"
import { listTopics } from "@/lib/topics/api"

const byName = [listContacts, getContact] as const
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
