import { sizeWords } from "@/components/emails/message-source"
import {
  attachmentBytesMax,
  bodyBytesMax,
  mimePartsMax,
  mimePartsOf,
  presentBody,
  subjectFault,
} from "@/lib/emails/message-rules"
import type { Check } from "@/components/compose/check"
import type { Fields } from "@/components/compose/fields"

export function subjectCheck({ subject }: Fields): Check {
  const base = { id: "subject", field: "subject" as const }
  if (subject.trim() === "") return { ...base, tone: "wait", title: "No subject yet" }
  const fault = subjectFault(subject)
  if (fault) return { ...base, tone: "bad", title: "The subject cannot be sent", detail: fault }
  if (subject.length > 70)
    return {
      ...base,
      tone: "warn",
      title: "Long subject",
      detail: `${subject.length} characters; most mail programs show 40 to 70.`,
    }
  return { ...base, tone: "good", title: "Subject", detail: `${subject.length} characters.` }
}

export function bodyCheck(fields: Fields): Check {
  const [html, text] = [presentBody(fields.html), presentBody(fields.text)]
  if (!html && !text)
    return { id: "body", tone: "wait", title: "No content yet", detail: "HTML, text or both.", field: "write" }
  if (!text) {
    return {
      id: "body",
      tone: "warn",
      title: "No text part",
      detail: "Some mail programs show only text, and spam filters expect it.",
      fix: "text",
      field: "text",
    }
  }
  return { id: "body", tone: "good", title: html ? "HTML and text" : "Text only" }
}

/** Placeholders of other services. Mailroom replaces none, so recipients would see them. */
export function placeholderCheck({ subject, html, text }: Fields): Check | null {
  const [found] = /\{\{[^{}]{1,60}\}\}/.exec(`${subject} ${html} ${text}`) ?? []
  if (!found) return null
  return {
    id: "placeholder",
    tone: "warn",
    title: "A placeholder",
    detail: `${found} is sent as it is: placeholders are not replaced.`,
  }
}

/** Gmail cuts HTML off behind about this many bytes. */
const clippedFrom = 102_000

export function sizeCheck(fields: Fields): Check | null {
  const { html, text, attachments } = fields
  const [htmlBytes, textBytes] = [utf8Bytes(html), utf8Bytes(text)]
  const attached = attachments.reduce((sum, { bytes }) => sum + bytes, 0)
  if (htmlBytes > bodyBytesMax)
    return { id: "size", tone: "bad", title: "HTML too large", detail: "At most 2 MiB.", field: "html" }
  if (textBytes > bodyBytesMax)
    return { id: "size", tone: "bad", title: "Text too large", detail: "At most 2 MiB.", field: "text" }
  if (attached > attachmentBytesMax) {
    return {
      id: "size",
      tone: "bad",
      title: "Attachments too large",
      detail: `${sizeWords(attached)} of at most 10 MiB in total.`,
      field: "attachments",
    }
  }
  const parts = mimePartsOf(fields)
  if (parts > mimePartsMax)
    return {
      id: "size",
      tone: "bad",
      title: "Too many attachments",
      detail: `At most ${mimePartsMax} parts.`,
      field: "attachments",
    }
  if (htmlBytes + textBytes + attached === 0) return null
  const size = sizeWords(htmlBytes + textBytes + attached)
  if (htmlBytes > clippedFrom) {
    return {
      id: "size",
      tone: "warn",
      title: "Gmail will clip the HTML",
      detail: `${sizeWords(htmlBytes)}; it shows the first 102 kB.`,
    }
  }
  return {
    id: "size",
    tone: "good",
    title: "Size",
    detail: attachments.length ? `${size}, ${attachments.length} attached.` : `${size}.`,
  }
}

export function linkCheck({ html, text }: Fields): Check | null {
  const links = [...new Set(`${html} ${text}`.match(/\bhttps?:\/\/[^\s"'<>]*[^\s"'<>).,;:!?]/gi) ?? [])]
  if (links.length === 0) return null
  const local = links.find((link) => /^https?:\/\/(localhost|127\.|\[::1\])/i.test(link))
  if (local) return { id: "links", tone: "warn", title: "A link leads to this machine", detail: local }
  const plain = links.find((link) => /^http:/i.test(link))
  if (plain) return { id: "links", tone: "warn", title: "A link without https", detail: plain }
  return {
    id: "links",
    tone: "good",
    title: links.length === 1 ? "One link" : `${links.length} links`,
    detail: "All of them https.",
  }
}

function utf8Bytes(text: string): number {
  return new TextEncoder().encode(text).length
}
