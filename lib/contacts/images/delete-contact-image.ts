import { buckets } from "@/lib/access/limits/bucket-table"
import { allow } from "@/lib/access/permissions"
import { projectMissing } from "@/lib/access/problems"
import { replacePicture } from "@/lib/contacts/images/image-store"
import { dropPicture } from "@/lib/contacts/images/images"
import { contactMissing } from "@/lib/contacts/problems"
import { endpoint } from "@/lib/platform/http/endpoint"

export const deleteContactImage = endpoint({
  route: "DELETE /v1/projects/{projectId}/contacts/{contactId}/image",
  operationId: "deleteContactImage",
  tag: "Contacts",
  summary: "Delete profile image",
  description:
    "Clears `profileImageUrl` and removes an uploaded picture. The response is the same for a contact without one.",
  access: allow("contacts:write"),
  bucket: buckets.contacts,
  path: { contactId: { prefix: "con", missing: contactMissing } },
  answers: [204],
  problems: [projectMissing, contactMissing],

  async run(scope, { path: { contactId } }) {
    const replaced = await replacePicture(scope, contactId, null)
    if (!replaced) throw contactMissing()
    await dropPicture(replaced.formerKey)
  },
})
