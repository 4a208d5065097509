import { buckets } from "@/lib/access/limits/bucket-table"
import { allow } from "@/lib/access/permissions"
import { projectMissing } from "@/lib/access/problems"
import { planOf } from "@/lib/contacts/plan"
import { contactMissing, contactTaken } from "@/lib/contacts/problems"
import { Contact, NewContact } from "@/lib/contacts/schema"
import { findContact } from "@/lib/contacts/read-sql"
import { addContact } from "@/lib/contacts/write-store"
import { endpoint } from "@/lib/platform/http/endpoint"
import { requestInvalid } from "@/lib/platform/http/problems"

export const createContact = endpoint({
  route: "POST /v1/projects/{projectId}/contacts",
  operationId: "createContact",
  tag: "Contacts",
  summary: "Create contact",
  description:
    "The address is unique in the project in its canonical form (lower case). Only properties that the project defines are accepted, with values as text. An address that unsubscribed from the project earlier starts unsubscribed, whatever the body says; `PATCH` with `unsubscribed: false` subscribes it again.",
  access: allow("contacts:write"),
  bucket: buckets.contacts,
  body: NewContact,
  answers: [201, Contact],
  location: "/v1/projects/{projectId}/contacts/{id}",
  problems: [requestInvalid, projectMissing, contactMissing, contactTaken],
  example: { body: { email: "ada@lovelace.example", firstName: "Ada", lastName: "Lovelace" } },

  async run(scope, { body }) {
    const plan = await planOf(scope, body)
    const id = await addContact(scope, plan)
    if (!id) throw contactTaken(`${plan.email} is a contact of this project already.`)
    const contact = await findContact(scope, id)
    if (!contact) throw contactMissing()
    return contact
  },
})
