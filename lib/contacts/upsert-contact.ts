import { buckets } from "@/lib/access/limits/bucket-table"
import { allow } from "@/lib/access/permissions"
import { projectMissing } from "@/lib/access/problems"
import { planOf } from "@/lib/contacts/plan"
import { contactMissing } from "@/lib/contacts/problems"
import { Contact, ContactUpsert } from "@/lib/contacts/schema"
import { findContact } from "@/lib/contacts/read-sql"
import { addOrChangeContact } from "@/lib/contacts/write-store"
import { endpoint } from "@/lib/platform/http/endpoint"
import { requestInvalid } from "@/lib/platform/http/problems"

export const upsertContact = endpoint({
  route: "PUT /v1/projects/{projectId}/contacts",
  operationId: "upsertContact",
  tag: "Contacts",
  summary: "Add or change contact by address",
  description:
    "Creates the contact, or updates the one with this address. Properties are merged key by key, segments are added, preferences are set; omitted fields are unchanged, including `unsubscribed`. Additive, like the upserts of HubSpot and Customer.io.",
  access: allow("contacts:write"),
  bucket: buckets.contacts,
  body: ContactUpsert,
  answers: [200, Contact],
  problems: [requestInvalid, projectMissing, contactMissing],
  additive: true,
  example: { body: { email: "ada@lovelace.example", firstName: "Ada" } },

  async run(scope, { body }) {
    const id = await addOrChangeContact(scope, await planOf(scope, body))
    const contact = await findContact(scope, id)
    if (!contact) throw contactMissing()
    return contact
  },
})
