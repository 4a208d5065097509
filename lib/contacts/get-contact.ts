import { buckets } from "@/lib/access/limits/bucket-table"
import { allow } from "@/lib/access/permissions"
import { projectMissing } from "@/lib/access/problems"
import { contactMissing } from "@/lib/contacts/problems"
import { Contact } from "@/lib/contacts/schema"
import { findContact } from "@/lib/contacts/read-sql"
import { endpoint } from "@/lib/platform/http/endpoint"

export const getContact = endpoint({
  route: "GET /v1/projects/{projectId}/contacts/{contactId}",
  operationId: "getContact",
  tag: "Contacts",
  summary: "Get contact",
  description: "One contact with its properties and explicit topic preferences.",
  access: allow("contacts:read"),
  bucket: buckets.contacts,
  path: { contactId: { prefix: "con", missing: contactMissing } },
  answers: [200, Contact],
  problems: [projectMissing, contactMissing],

  async run(scope, { path }) {
    const contact = await findContact(scope, path.contactId)
    if (!contact) throw contactMissing()
    return contact
  },
})
