import { buckets } from "@/lib/access/limits/bucket-table"
import { allow } from "@/lib/access/permissions"
import { projectMissing } from "@/lib/access/problems"
import { replacePicture } from "@/lib/contacts/images/image-store"
import { dropPicture, keepPicture } from "@/lib/contacts/images/images"
import { imageTooLarge, imageTypeUnsupported, imageUnusable } from "@/lib/contacts/images/image-problems"
import { contactMissing } from "@/lib/contacts/problems"
import { Contact } from "@/lib/contacts/schema"
import { findContact } from "@/lib/contacts/read-sql"
import { endpoint, requestOf } from "@/lib/platform/http/endpoint"
import { imageType } from "@/lib/platform/images/image-type"
import { ImageRefused, squareWebp } from "@/lib/platform/images/square-webp"
import { SlotsBusy } from "@/lib/platform/jobs/slots"
import { readOneFile } from "@/lib/platform/http/multipart"
import { requestInvalid, serviceUnavailable } from "@/lib/platform/http/problems"
import { storageFull } from "@/lib/projects/schema"
import { refuseStorageFull } from "@/lib/projects/quota/data"

const imageBytesMax = 5 * 2 ** 20
const bodyBytesMax = 6 * 2 ** 20

export const uploadContactImage = endpoint({
  route: "POST /v1/projects/{projectId}/contacts/{contactId}/image",
  operationId: "uploadContactImage",
  tag: "Contacts",
  summary: "Upload contact profile image",
  description:
    "One file in the form field `file`: JPEG, PNG, WebP or GIF of at most 5 MiB, 25 million pixels over all frames and 256 frames. Its first bytes decide the type, not the content type of the part. The picture is re-encoded as a square WebP of at most 512 px (with its animation, without its metadata), stored in object storage and shown at `profileImageUrl`; an uploaded picture that it replaces is removed.",
  access: allow("contacts:write"),
  bucket: buckets.contacts,
  path: { contactId: { prefix: "con", missing: contactMissing } },
  bodyStream: "multipart/form-data",
  bodyBytesMax,
  answers: [200, Contact],
  problems: [
    ...[requestInvalid, imageTypeUnsupported, imageUnusable, projectMissing, contactMissing, imageTooLarge],
    storageFull,
  ],

  async run(scope, input, io) {
    const { contactId } = input.path
    if (!(await findContact(scope, contactId))) throw contactMissing()
    const file = await readOneFile(requestOf(input), {
      field: "file",
      bytesMax: imageBytesMax,
      tooLarge: imageTooLarge,
    })
    const picture = await drawn(scope.project.id, file)
    await refuseStorageFull(scope, picture.length)
    const key = await keepPicture(scope.project.id, picture, io.random)
    const replaced = await replacePicture(scope, contactId, { key })
    await dropPicture(replaced ? replaced.formerKey : key)
    const contact = replaced && (await findContact(scope, contactId))
    if (!contact) throw contactMissing()
    return contact
  },
})

async function drawn(projectId: string, file: Uint8Array): Promise<Buffer> {
  if (!(await imageType(file)))
    throw imageTypeUnsupported(undefined, { errors: [atFile("Must be a JPEG, PNG, WebP or GIF.")] })
  try {
    return await squareWebp(file, projectId)
  } catch (error) {
    if (error instanceof ImageRefused) throw imageUnusable(error.message, { errors: [atFile(error.message)] })
    if (error instanceof SlotsBusy)
      throw serviceUnavailable("Too many pictures arrive at once.", { retryAfterSeconds: 5 })
    throw error
  }
}

function atFile(detail: string) {
  return { pointer: "form/file", detail }
}
