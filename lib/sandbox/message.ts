import PostalMime, { type Attachment, type Email } from "postal-mime"
import { DocumentRefused, isSmallMessage, readApart } from "@/lib/platform/documents/read-apart"
import { presentBody } from "@/lib/emails/message-rules"
import type { SandboxMessageDetail } from "@/lib/sandbox/schema"

type Parts = Pick<SandboxMessageDetail, "html" | "text" | "headers" | "attachments">

/** Octets of pictures that are put into the HTML, all together. */
const inlinedBytesMax = 2 * 2 ** 20

const unread: Parts = { headers: [], attachments: [] }

/** The parts of a message (RFC 2045) for a reader. What cannot be read leaves its fields out; the raw text stays. */
export async function readMessage(raw: Buffer, organizationId: string): Promise<Parts> {
  if (isSmallMessage(raw)) return parseMessage(raw)
  return readApart<Parts>("sandbox-message", raw, organizationId).catch(refusedAs(unread))
}

/** The HTML of a message, empty where there is none. */
export async function readHtml(raw: Buffer, owner: string): Promise<string> {
  return isSmallMessage(raw) ? htmlOf(raw) : readApart<string>("email-html", raw, owner).catch(refusedAs(""))
}

function refusedAs<T>(value: T): (error: unknown) => T {
  return (error) => {
    if (error instanceof DocumentRefused) return value
    throw error
  }
}

export async function htmlOf(raw: Buffer): Promise<string> {
  return (await parse(raw))?.html ?? ""
}

export async function parseMessage(raw: Buffer): Promise<Parts> {
  const email = await parse(raw)
  if (!email) return unread
  const [html, text] = [presentBody(email.html), presentBody(email.text)]
  const pictures = html === undefined ? new Map<string, string>() : inlinePictures(email.attachments)
  return {
    ...(html === undefined ? {} : { html: inlined(html, pictures) }),
    ...(text === undefined ? {} : { text }),
    headers: email.headers.map(({ originalKey, value }) => ({ name: originalKey, value })),
    attachments: email.attachments.map((attachment) => ({
      filename: attachment.filename ?? "unnamed",
      contentType: attachment.mimeType,
      size: bytesOf(attachment).length,
    })),
  }
}

async function parse(raw: Buffer): Promise<Email | null> {
  try {
    return await PostalMime.parse(raw, { forceRfc822Attachments: true, maxNestingDepth: 50 })
  } catch {
    return null
  }
}

/** data: URIs of the pictures by content id, the first ones up to the limit. */
function inlinePictures(attachments: readonly Attachment[]): Map<string, string> {
  const pictures = new Map<string, string>()
  let left = inlinedBytesMax
  for (const attachment of attachments) {
    const { contentId, mimeType } = attachment
    if (!contentId || !/^image\/[a-z0-9.+-]+$/.test(mimeType)) continue
    const bytes = bytesOf(attachment)
    if (bytes.length > left) continue
    left -= bytes.length
    pictures.set(contentId.replace(/^<|>$/g, ""), `data:${mimeType};base64,${bytes.toString("base64")}`)
  }
  return pictures
}

/** A picture that is shown often still counts once: HTML that repeats it may not grow without bounds. */
function inlined(html: string, pictures: ReadonlyMap<string, string>): string {
  let left = 2 * inlinedBytesMax
  return html.replace(/cid:([^\s"'<>)]+)/gi, (found, id: string) => {
    const uri = pictures.get(id) ?? pictures.get(decoded(id))
    if (!uri || uri.length > left) return found
    left -= uri.length
    return uri
  })
}

function decoded(id: string): string {
  try {
    return decodeURIComponent(id)
  } catch {
    return id
  }
}

function bytesOf({ content }: Attachment): Buffer {
  if (typeof content === "string") return Buffer.from(content)
  return content instanceof Uint8Array ? Buffer.from(content) : Buffer.from(new Uint8Array(content))
}
