import { buckets } from "@/lib/access/limits/bucket-table"
import { allow } from "@/lib/access/permissions"
import { projectMissing } from "@/lib/access/problems"
import { propertyMissing } from "@/lib/contact-properties/schema"
import { removeValues } from "@/lib/contacts/properties/values-sql"
import * as properties from "@/lib/contact-properties/data"
import { endpoint } from "@/lib/platform/http/endpoint"

const waitMs = 2_000

/** Here and not among contact properties, because contacts are above them and store the values. */
export const deleteContactProperty = endpoint({
  route: "DELETE /v1/projects/{projectId}/contact-properties/{propertyId}",
  operationId: "deleteContactProperty",
  tag: "Contact properties",
  summary: "Delete contact property",
  description:
    "Permanent; no contact shows a value of it from now on. A small number of stored values is removed before the response, more of them in the background: until then the key cannot be defined again.",
  access: allow("contacts:write"),
  bucket: buckets.contactProperties,
  path: { propertyId: { prefix: "prop", missing: propertyMissing } },
  answers: [204],
  problems: [projectMissing, propertyMissing],

  async run(scope, { path }) {
    if (!(await properties.hideProperty(scope, path.propertyId))) throw propertyMissing()
    await removeValues(waitMs, path.propertyId)
  },
})
