import { buckets } from "@/lib/access/limits/bucket-table"
import { allow } from "@/lib/access/permissions"
import { projectMissing } from "@/lib/access/problems"
import { propertyMissing } from "@/lib/contact-properties/problems"
import { ContactProperty } from "@/lib/contact-properties/schema"
import * as properties from "@/lib/contact-properties/store"
import { endpoint } from "@/lib/platform/http/endpoint"

export const getContactProperty = endpoint({
  route: "GET /v1/projects/{projectId}/contact-properties/{propertyId}",
  operationId: "getContactProperty",
  tag: "Contact properties",
  summary: "Get contact property",
  description: "One property with its type and the fallback value for contacts without one.",
  access: allow("contacts:read"),
  bucket: buckets.contactProperties,
  path: { propertyId: { prefix: "prop", missing: propertyMissing } },
  answers: [200, ContactProperty],
  problems: [projectMissing, propertyMissing],

  async run(scope, { path }) {
    const property = await properties.findProperty(scope, path.propertyId)
    if (!property) throw propertyMissing()
    return property
  },
})
