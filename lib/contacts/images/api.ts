import { z } from "zod"
import { buckets } from "@/lib/access/limits/data"
import { allow } from "@/lib/access/permissions"
import { projectMissing } from "@/lib/access/problems"
import { dropPicture, keepPicture, replacePicture } from "@/lib/contacts/images/data"
import { findContact } from "@/lib/contacts/list/data"
import { Contact, contactMissing } from "@/lib/contacts/schema"
import { endpoint, requestOf } from "@/lib/platform/http/endpoint"
import { readOneFile } from "@/lib/platform/http/uploads"
import { problem } from "@/lib/platform/http/problem"
import { requestInvalid, serviceUnavailable } from "@/lib/platform/http/problems"
import { ImageRefused, imageType, squareWebp } from "@/lib/platform/images/square-webp"
import { SlotsBusy } from "@/lib/platform/jobs/slots"
import { urlText } from "@/lib/platform/schema"
import { parseUrl } from "@/lib/platform/url-rules"
import { refuseStorageFull } from "@/lib/projects/quota/data"
import { storageFull } from "@/lib/projects/schema"

const urlCharsMax = 2_048

const ImageUrl = z
  .strictObject({
    url: urlText(urlCharsMax, { protocol: /^https$/, hostname: /./, error: "Must be an https URL." })
      .refine((text) => !hasCredentials(text), "Must not hold a user name or password.")
      .describe("Absolute, https. It is never fetched."),
  })
  .meta({ id: "SetImageUrlBody" })

function hasCredentials(text: string): boolean {
  const { username = "", password = "" } = parseUrl(text) ?? {}
  return username !== "" || password !== ""
}

const imageTooLarge = problem("image.too_large", 413, "Image too large", "A profile image may hold 5 MiB.")
const imageTypeUnsupported = problem(
  "image.unsupported_type",
  400,
  "Image type not supported",
  "A profile image is a JPEG, PNG, WebP or GIF. The first bytes of the file decide, not its name.",
)
const imageUnusable = problem(
  "image.unusable",
  400,
  "Image cannot be used",
  "The file is damaged or cut short, or it has more than 25 million pixels over all frames, or more than 256 frames.",
)

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
    const picture = await drawn(scope.organization.id, file)
    await refuseStorageFull(scope, picture.length)
    const key = await keepPicture(scope.project.id, picture, io.random)
    const replaced = await replacePicture(scope, contactId, { key })
    await dropPicture(replaced ? replaced.formerKey : key)
    if (!replaced?.contact) throw contactMissing()
    return replaced.contact
  },
})

async function drawn(organizationId: string, file: Uint8Array): Promise<Buffer> {
  if (!(await imageType(file)))
    throw imageTypeUnsupported(undefined, { errors: [atFile("Must be a JPEG, PNG, WebP or GIF.")] })
  try {
    return await squareWebp(file, organizationId)
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
    if (!replaced?.contact) throw contactMissing()
    return replaced.contact
  },
})

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

export const contactImageOperations = [uploadContactImage, setContactImageUrl, deleteContactImage] as const
