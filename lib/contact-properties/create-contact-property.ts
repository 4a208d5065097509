import { buckets } from "@/lib/access/limits/bucket-table"
import { allow } from "@/lib/access/permissions"
import { projectMissing } from "@/lib/access/problems"
import { propertyTaken } from "@/lib/contact-properties/problems"
import { propertiesMax, valueFault } from "@/lib/contact-properties/rules"
import { ContactProperty, NewContactProperty } from "@/lib/contact-properties/schema"
import * as properties from "@/lib/contact-properties/store"
import { endpoint } from "@/lib/platform/http/endpoint"
import { requestInvalid } from "@/lib/platform/http/problems"
import { limitReached } from "@/lib/projects/problems"

export const createContactProperty = endpoint({
  route: "POST /v1/projects/{projectId}/contact-properties",
  operationId: "createContactProperty",
  tag: "Contact properties",
  summary: "Define contact property",
  description:
    "Key and type are permanent. A value of type `number` is decimal text, such as `42` or `-1.5`. A project has at most 500 properties.",
  access: allow("contacts:write"),
  bucket: buckets.contactProperties,
  body: NewContactProperty,
  answers: [201, ContactProperty],
  location: "/v1/projects/{projectId}/contact-properties/{id}",
  problems: [requestInvalid, limitReached, projectMissing, propertyTaken],
  example: { body: { key: "plan", type: "string", fallbackValue: "free" } },

  async run(scope, { body }) {
    const fault = body.fallbackValue === undefined ? null : valueFault(body.type, body.fallbackValue)
    if (fault) throw requestInvalid(fault, { errors: [{ pointer: "/fallbackValue", detail: fault }] })
    if ((await properties.countProperties(scope)) >= propertiesMax) {
      throw limitReached(
        `A project has at most ${propertiesMax} contact properties. Delete one that is no longer used.`,
      )
    }
    const property = await properties.addProperty(scope, body)
    if (!property) {
      throw propertyTaken(
        `The key ${body.key} is taken, or its former property was deleted a moment ago and its values are still being removed.`,
      )
    }
    return property
  },
})
