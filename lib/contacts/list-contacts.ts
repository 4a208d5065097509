import { z } from "zod"
import { buckets } from "@/lib/access/limits/bucket-table"
import { allow } from "@/lib/access/permissions"
import { projectMissing } from "@/lib/access/problems"
import { contactFilterQuery, filterOf } from "@/lib/contacts/contact-filter"
import * as contacts from "@/lib/contacts/list-sql"
import { ContactPage, type Contact } from "@/lib/contacts/schema"
import { cursorsOf } from "@/lib/platform/http/cursor-page"
import { cursorMissing, readCursor } from "@/lib/platform/http/cursors"
import { endpoint } from "@/lib/platform/http/endpoint"
import { page, pageQuery } from "@/lib/platform/http/paging"

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
    after: z
      .string()
      .optional()
      .describe(
        "Additive: a cursor from an earlier response with the same filters, unchanged. `page` is then ignored.",
      ),
    ...contactFilterQuery(),
  },
  answers: [200, ContactPage],
  problems: [projectMissing, cursorMissing],

  async run(scope, { query }) {
    const filter = filterOf(query)
    const collection = `${scope.project.id}|contacts|${JSON.stringify(filter)}`
    const idOf = ({ id }: Contact) => id
    if (query.after === undefined) {
      const { data, total } = await contacts.listContacts(scope, filter, query)
      const paged = page(query, data, total)
      const beside = { before: paged.page.hasPreviousPage, after: paged.page.hasNextPage }
      return { ...paged, cursor: cursorsOf(collection, { rows: data, ...beside }, idOf) }
    }
    const { slice, total } = await contacts.readContacts(scope, filter, readCursor(collection, query.after), query.size)
    const cursor = cursorsOf(collection, slice, idOf)
    const { hasNextPage, hasPreviousPage } = cursor
    return { data: slice.rows, page: { ...page(query, [], total).page, hasNextPage, hasPreviousPage }, cursor }
  },
})
