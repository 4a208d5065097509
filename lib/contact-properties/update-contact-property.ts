import { buckets } from "@/lib/access/limits/bucket-table"
import { allow } from "@/lib/access/permissions"
import { projectMissing } from "@/lib/access/problems"
import { propertyMissing } from "@/lib/contact-properties/problems"
import { valueFault, type PropertyType } from "@/lib/contact-properties/rules"
import { ContactProperty, ContactPropertyChange } from "@/lib/contact-properties/schema"
import * as properties from "@/lib/contact-properties/store"
import { endpoint } from "@/lib/platform/http/endpoint"
import { requestInvalid } from "@/lib/platform/http/problems"

export const updateContactProperty = endpoint({
  route: "PATCH /v1/projects/{projectId}/contact-properties/{propertyId}",
  operationId: "updateContactProperty",
  tag: "Contact properties",
  summary: "Change property fallback",
  description: "Only the fallback value can change. If omitted it is unchanged; `null` clears it.",
  access: allow("contacts:write"),
  bucket: buckets.contactProperties,
  path: { propertyId: { prefix: "prop", missing: propertyMissing } },
  body: ContactPropertyChange,
  answers: [200, ContactProperty],
  problems: [requestInvalid, projectMissing, propertyMissing],
  example: { body: { fallbackValue: "trial" } },

  async run(scope, { path, body }) {
    const property = await properties.findProperty(scope, path.propertyId)
    if (!property) throw propertyMissing()
    const { fallbackValue } = body
    if (fallbackValue === undefined) return property
    const fault = fallbackValue === null ? null : valueFault(property.type as PropertyType, fallbackValue)
    if (fault) throw requestInvalid(fault, { errors: [{ pointer: "/fallbackValue", detail: fault }] })
    const changed = await properties.setFallback(scope, path.propertyId, fallbackValue)
    if (!changed) throw propertyMissing()
    return changed
  },
})
