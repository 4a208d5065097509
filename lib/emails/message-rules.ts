/** What an email demands of the connection to a recipient's server: what that offers; encryption; or a certificate that proves the server. */
export const tlsDemands = ["opportunistic", "required", "verified"] as const
export type TlsDemand = (typeof tlsDemands)[number]

/** Every status an email or one of its deliveries can have, as the API spells it. */
export const emailStatuses = [
  "scheduled",
  "queued",
  "sending",
  "delivery_delayed",
  "sent",
  "delivered",
  "opened",
  "clicked",
  "complained",
  "bounced",
  "failed",
  "rejected",
  "suppressed",
  "cancelled",
  "test",
  "indeterminate",
] as const

export type EmailStatus = (typeof emailStatuses)[number]

/** What one message may hold. Text is counted in UTF-16 units where it says characters, in UTF-8 octets where bytes. */
export const subjectCharsMax = 998
export const bodyBytesMax = 2 * 1024 * 1024
export const attachmentBytesMax = 10 * 1024 * 1024
/** What the messages of one request may hold together: attachments once, the bodies once for each message. */
export const requestBytesMax = 64 * 1024 * 1024
export const mimePartsMax = 500
export const filenameCharsMax = 255
export const contentTypeCharsMax = 255
export const contentIdCharsMax = 128
export const labelsMax = 50
export const labelKeyCharsMax = 64
export const labelValueCharsMax = 256

/** Why this subject cannot be sent, as a sentence; null if it can. */
export function subjectFault(subject: string): string | null {
  if (subject.trim() === "") return "The subject is empty."
  if (subject.length > subjectCharsMax) return `The subject has at most ${subjectCharsMax} characters.`
  if (holdsControl(subject)) return "The subject holds no line breaks or control characters."
  return null
}

/**
 * The body if there is one: an empty one, or one of white space and characters that show nothing, is as good as absent. Everything
 * that asks whether an email has HTML or text asks here.
 */
export function presentBody(body: string | null | undefined): string | undefined {
  return body && /[^\p{White_Space}\p{Default_Ignorable_Code_Point}\p{Cc}\u2800]/u.test(body) ? body : undefined
}

/** Where a content has neither HTML nor text, the field that says so: the one that was left out, or given without content. */
export function missingBody(content: { html?: string; text?: string }): "html" | "text" | null {
  if (content.html !== undefined || content.text !== undefined) return null
  return "html" in content || "text" in content ? "text" : "html"
}

/** Why this html or text cannot be sent, as a sentence; null if it can. */
export function bodyFault(body: string): string | null {
  if (body.includes("\0")) return "A body holds no NUL character."
  if (isLonger(body, bodyBytesMax)) return `A body has at most ${bodyBytesMax} bytes (2 MiB) in UTF-8.`
  return null
}

/** Why this file name cannot be sent, as a sentence; null if it can. */
export function filenameFault(filename: string): string | null {
  if (filename.trim() === "") return "The file name is empty."
  if (filename.length > filenameCharsMax) return `A file name has at most ${filenameCharsMax} characters.`
  if (/[/\\]/.test(filename) || filename === "." || filename === "..")
    return "A file name holds no path: no / or \\, not . or .. alone."
  // The direction overrides make evil.exe look like a picture.
  if (holdsControl(filename) || /[\u202a-\u202e\u2066-\u2069]/.test(filename))
    return "A file name holds no control characters."
  return null
}

/** Why this media type cannot be sent, as a sentence; null if it can. */
export function contentTypeFault(contentType: string): string | null {
  if (contentType.length > contentTypeCharsMax) return `A content type has at most ${contentTypeCharsMax} characters.`
  if (!/^[\w!#$&^.+-]+\/[\w!#$&^.+-]+( *; *[\w!#$&^.+-]+=([\w!#$&^.+-]+|"[ !#-[\]-~]*"))*$/.test(contentType))
    return "A content type has the form type/subtype, with parameters as in text/plain; charset=utf-8."
  if (/^multipart\//i.test(contentType)) return "An attachment cannot be a multipart type."
  return null
}

/** Why this Content-ID (without angle brackets) cannot be sent, as a sentence; null if it can. */
export function contentIdFault(contentId: string): string | null {
  if (/^[\w.!#$%&'*+/=?^`{|}~@-]{1,128}$/.test(contentId)) return null
  return `A contentId has 1 to ${contentIdCharsMax} letters, digits or any of .!#$%&'*+/=?^_\`{|}~@- and no brackets.`
}

/**
 * The attachments whose contentId another one before them has. Letter case does not tell two apart: mail programs that find a picture
 * by its name differ in whether it counts.
 */
export function repeatedContentIds(attachments: readonly { contentId?: string | undefined }[]): number[] {
  const seen = new Set<string>()
  return attachments.flatMap(({ contentId }, at) => {
    const id = contentId?.toLowerCase()
    if (!id) return []
    const isRepeated = seen.has(id)
    seen.add(id)
    return isRepeated ? [at] : []
  })
}

/** Why these tags or metadata cannot be stored: sentences, each with the key that it is about; none if they can. */
export function labelsFaults(labels: Readonly<Record<string, string>>): { key?: string; sentence: string }[] {
  const entries = Object.entries(labels)
  if (entries.length > labelsMax) return [{ sentence: `There are at most ${labelsMax} entries.` }]
  return entries.flatMap(([key, value]) => {
    const sentence = labelFault(key, value)
    return sentence ? [{ key, sentence }] : []
  })
}

function labelFault(key: string, value: string): string | null {
  if (key === "" || key.length > labelKeyCharsMax) return `A key has 1 to ${labelKeyCharsMax} characters.`
  if (holdsControl(key)) return "A key holds no control characters."
  if (value.length > labelValueCharsMax) return `A value has at most ${labelValueCharsMax} characters.`
  return value.includes("\0") ? "A value holds no NUL character." : null
}

/** MIME parts of a message, without the multiparts that hold them: its bodies, at least an empty one, and its attachments. */
export function mimePartCount(message: { html?: string; text?: string; attachments?: readonly unknown[] }): number {
  const bodies = [message.html, message.text].filter(presentBody).length
  return Math.max(bodies, 1) + (message.attachments?.length ?? 0)
}

export function holdsControl(text: string): boolean {
  return /[\p{Cc}\p{Cs}\u2028\u2029]/u.test(text)
}

/** Whether a text has more bytes in UTF-8 than this; most are so short that counting is not needed. */
export function isLonger(text: string, bytesMax: number): boolean {
  return 3 * text.length > bytesMax && utf8Bytes(text) > bytesMax
}

export function utf8Bytes(text: string): number {
  return new TextEncoder().encode(text).length
}
