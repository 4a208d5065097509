import { buckets } from "@/lib/access/limits/bucket-table"
import { allow } from "@/lib/access/permissions"
import { projectMissing } from "@/lib/access/problems"
import { replacePicture } from "@/lib/contacts/images/image-store"
import { dropPicture } from "@/lib/contacts/images/images"
import { ImageUrl } from "@/lib/contacts/images/image-schema"
import { contactMissing } from "@/lib/contacts/problems"
import { Contact } from "@/lib/contacts/schema"
import { findContact } from "@/lib/contacts/read-sql"
import { endpoint } from "@/lib/platform/http/endpoint"
import { requestInvalid } from "@/lib/platform/http/problems"

export const setContactImageUrl = endpoint({
  route: "PUT /v1/projects/{projectId}/contacts/{contactId}/image",
  operationId: "setContactImageUrl",
  tag: "Contacts",
  summary: "Set external image URL",
  description:
    "Keeps an https URL as it is and never fetches it; the dashboard shows it as a link. An uploaded picture is removed.",
  access: allow("contacts:write"),
  bucket: buckets.contacts,
  path: { contactId: { prefix: "con", missing: contactMissing } },
  body: ImageUrl,
  answers: [200, Contact],
  problems: [requestInvalid, projectMissing, contactMissing],
  example: { body: { url: "https://cdn.example.com/ada.png" } },

  async run(scope, { path: { contactId }, body: { url } }) {
    const replaced = await replacePicture(scope, contactId, { url })
    await dropPicture(replaced?.formerKey ?? null)
    const contact = replaced && (await findContact(scope, contactId))
    if (!contact) throw contactMissing()
    return contact
  },
})
