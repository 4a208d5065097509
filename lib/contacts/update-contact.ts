import { buckets } from "@/lib/access/limits/bucket-table"
import { allow } from "@/lib/access/permissions"
import { projectMissing } from "@/lib/access/problems"
import { checkProperties, propertyPlan } from "@/lib/contacts/plan"
import { contactMissing } from "@/lib/contacts/problems"
import { Contact, ContactChange } from "@/lib/contacts/schema"
import { findContact } from "@/lib/contacts/read-sql"
import { changeContact } from "@/lib/contacts/write-store"
import { endpoint } from "@/lib/platform/http/endpoint"
import { requestInvalid } from "@/lib/platform/http/problems"

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
    if (!(await changeContact(scope, path.contactId, { ...change, ...merged }, merged ? "merge" : "replace")))
      throw contactMissing()
    const contact = await findContact(scope, path.contactId)
    if (!contact) throw contactMissing()
    return contact
  },
})
