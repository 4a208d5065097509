import { buckets } from "@/lib/access/bucket-table"
import { allow } from "@/lib/access/permissions"
import { projectMissing } from "@/lib/access/problems"
import { contactFilterQuery, filterOf } from "@/lib/contacts/contact-filter"
import * as contacts from "@/lib/contacts/list-store"
import { ContactPage } from "@/lib/contacts/schema"
import { endpoint } from "@/lib/platform/endpoint"
import { page, pageQuery } from "@/lib/platform/paging"

export const listContacts = endpoint({
  route: "GET /v1/projects/{projectId}/contacts",
  operationId: "listContacts",
  tag: "Contacts",
  summary: "List contacts",
  description:
    "Newest first. The filters are additive and narrow together. `total` is exact without a filter and with one of `segmentId`, `topicId` or `unsubscribed`; else it stops at 10,000.",
  access: allow("contacts:read"),
  bucket: buckets.contacts,
  query: { ...pageQuery(), ...contactFilterQuery() },
  answers: [200, ContactPage],
  problems: [projectMissing],

  async run(scope, { query }) {
    const { data, total } = await contacts.listContacts(scope, filterOf(query), query)
    return page(query, data, total)
  },
})
