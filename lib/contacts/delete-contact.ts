import { buckets } from "@/lib/access/limits/bucket-table"
import { allow } from "@/lib/access/permissions"
import { projectMissing } from "@/lib/access/problems"
import { contactMissing } from "@/lib/contacts/problems"
import * as contacts from "@/lib/contacts/write-store"
import { endpoint } from "@/lib/platform/http/endpoint"

export const deleteContact = endpoint({
  route: "DELETE /v1/projects/{projectId}/contacts/{contactId}",
  operationId: "deleteContact",
  tag: "Contacts",
  summary: "Delete contact",
  description:
    "Permanent; also deletes property values, memberships and preferences. A suppressed address stays suppressed and unsubscribed from the topics it left, so that a deleted contact does not receive email again by mistake.",
  access: allow("contacts:write"),
  bucket: buckets.contacts,
  path: { contactId: { prefix: "con", missing: contactMissing } },
  answers: [204],
  problems: [projectMissing, contactMissing],

  async run(scope, { path }) {
    if (!(await contacts.deleteContact(scope, path.contactId))) throw contactMissing()
  },
})
