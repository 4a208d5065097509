import { buckets } from "@/lib/access/limits/bucket-table"
import { allow } from "@/lib/access/permissions"
import { projectMissing } from "@/lib/access/problems"
import { ContactPropertyPage } from "@/lib/contact-properties/schema"
import * as properties from "@/lib/contact-properties/store"
import { endpoint } from "@/lib/platform/http/endpoint"
import { page, pageQuery } from "@/lib/platform/http/paging"

export const listContactProperties = endpoint({
  route: "GET /v1/projects/{projectId}/contact-properties",
  operationId: "listContactProperties",
  tag: "Contact properties",
  summary: "List contact properties",
  description: "The properties of the project, newest first.",
  access: allow("contacts:read"),
  bucket: buckets.contactProperties,
  query: pageQuery(),
  answers: [200, ContactPropertyPage],
  problems: [projectMissing],

  async run(scope, { query }) {
    const { data, total } = await properties.listProperties(scope, query)
    return page(query, data, total)
  },
})
