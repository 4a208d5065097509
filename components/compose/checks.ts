import { topicIn } from "@/components/compose/addresses"
import { type ChosenAudience, audienceCheck } from "@/components/compose/audience"
import { clicksCheck, type ComposeCheck, type CheckedRecipient, type FieldName } from "@/components/compose/check"
import type { ExactPreview } from "@/components/compose/exact-preview"
import { bodyOfFields, type Fields } from "@/components/compose/fields"
import { lackingCheck, hasPlaceholders } from "@/components/compose/placeholders"
import { isWritten } from "@/components/compose/write"
import { addressWithoutName } from "@/components/emails/address"
import { sizeWords } from "@/components/emails/message-source"
import {
  attachmentBytesMax,
  bodyBytesMax,
  mimePartsMax,
  mimePartCount,
  presentBody,
  subjectFault,
} from "@/lib/emails/message-rules"
import { countText } from "@/lib/platform/format"

/** Everything that is checked before an email leaves, in the order of the form. */
export function composeChecks(fields: Fields, around: Around): ComposeCheck[] {
  return [
    senderCheck(fields, around),
    recipientCheck(fields, around),
    topicCheck(fields, around),
    ...contentChecks(fields, around),
    clicksCheck(fields, around),
    unsubscribeCheck(fields, around),
    timeCheck(fields, around),
  ].flatMap((check) => check ?? [])
}

function contentChecks(fields: Fields, around: Around): (ComposeCheck | null)[] {
  const placeholders = around.audience ? personalCheck(fields, around) : placeholderCheck(fields)
  if (fields.template)
    return [templateCheck(fields, around), placeholders, sizeCheck({ ...fields, html: "", text: "" })]
  return [subjectCheck(fields), bodyCheck(fields), placeholders, sizeCheck(fields), linkCheck(fields)]
}

/** What the template needs from this email. The content was checked when it was published. */
function templateCheck({ template, templateValues }: Fields, { templates, variables }: Around): ComposeCheck {
  const found = templates?.find(({ id }) => id === template)
  const base = { id: "template", field: "template" as const }
  if (templates && !found)
    return { ...base, tone: "bad", title: "The template is not published", detail: "Choose another.", allowed: true }
  if (!found || !variables) return { ...base, tone: "wait", title: "Template not checked yet", allowed: true }
  const missing = variables.filter(({ name, fallback }) => fallback === undefined && !templateValues[name])
  if (missing.length) {
    const detail = `Give ${missing.map(({ name }) => name).join(", ")}: no fallback is declared.`
    return { ...base, field: "templateValues", tone: "wait", title: "Values are missing", detail }
  }
  return { ...base, tone: "good", title: "Template", detail: `${found.name}, version ${found.version}.` }
}

const minuteMs = 60_000

function timeCheck({ when, scheduledAt }: Fields, { now }: Around): ComposeCheck | null {
  if (when === "now") return null
  const ahead = Date.parse(scheduledAt) - now
  const base = { id: "time", field: "scheduledAt" as const }
  if (!Number.isFinite(ahead))
    return { ...base, tone: "wait", title: "No time yet", detail: "From 30 seconds to 30 days ahead." }
  if (ahead < minuteMs / 2)
    return { ...base, tone: "bad", title: "The time is too soon", detail: "At least 30 seconds ahead." }
  if (ahead > 30 * 24 * 60 * minuteMs)
    return { ...base, tone: "bad", title: "The time is too far", detail: "At most 30 days ahead." }
  return { ...base, tone: "good", title: "Scheduled", detail: "Until then you can reschedule or cancel it." }
}

function subjectCheck({ subject }: Fields): ComposeCheck {
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
  return { ...base, tone: "good", title: "Subject", detail: `${countText(subject.length, "character")}.` }
}

function bodyCheck(fields: Fields): ComposeCheck {
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

/** Placeholders of a broadcast: whether each can be filled in, and for how many people it shows nothing. */
function personalCheck(fields: Fields, { preview }: Around): ComposeCheck | null {
  const base = { id: "placeholder" }
  const [fault] = preview?.faults?.filter(({ pointer }) => pointer in placesOf(fields)) ?? []
  const field = fault && placesOf(fields)[fault.pointer]
  if (field) return { ...base, tone: "bad", title: "A placeholder cannot be filled in", detail: fault.detail, field }
  if (!hasPlaceholders(fields)) return null
  if (!preview?.shown) return { ...base, tone: "wait", title: "Placeholders not checked yet", allowed: true }
  const lacking = lackingCheck(preview.shown)
  if (lacking) return { ...base, tone: "warn", ...lacking }
  return { ...base, tone: "good", title: "Placeholders", detail: "Everyone has a value or gets a fallback." }
}

/** The fields of the form in which a fault of a placeholder is. */
function placesOf(fields: Fields): Record<string, FieldName> {
  const body = (own: "html" | "text"): FieldName => (fields.write && isWritten(fields) ? "write" : own)
  return { "/subject": "subject", "/html": body("html"), "/text": body("text"), "/template": "template" }
}

/** Placeholders in an email to addresses, in which none is replaced, so recipients would see them. */
function placeholderCheck({ template, subject, html, text }: Fields): ComposeCheck | null {
  if (template) return null
  const [found] = /\{\{[^{}]{1,60}\}\}/.exec(`${subject} ${html} ${text}`) ?? []
  if (!found) return null
  return {
    id: "placeholder",
    tone: "warn",
    title: "A placeholder",
    detail: `${found} is sent as it is: placeholders are replaced in broadcasts and templates alone.`,
  }
}

/** Gmail cuts HTML off behind about this many bytes. */
const clippedFrom = 102_000

function sizeCheck(fields: Fields): ComposeCheck | null {
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
  const parts = mimePartCount(fields)
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

function linkCheck({ html, text }: Fields): ComposeCheck | null {
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

export type Around = {
  domains: { domain: string; status: string }[] | undefined
  recipients: CheckedRecipient[]
  /** A topic or segment in To instead of addresses. */
  audience?: ChosenAudience
  /** What the project does where an email does not say it. */
  tracksClicks?: boolean
  /** Of an audience, what one person would get. */
  preview?: ExactPreview
  /** Those of the project, once they are known. */
  topics?: { id: string; name: string }[]
  /** The published ones, once they are known. */
  templates?: { id: string; name: string; version: number }[]
  /** Those of the template that gives the content. */
  variables?: { name: string; fallback?: string | undefined }[]
  maxRecipients: number
  now: number
}

function senderCheck({ from }: Fields, { domains }: Around): ComposeCheck {
  const base = { id: "sender", field: "from" as const }
  const address = addressWithoutName(from.trim())
  const at = address.lastIndexOf("@")
  if (at < 1)
    return { ...base, tone: "wait", title: "No sender yet", detail: "An address on a verified domain of this project." }
  if (!domains) return { ...base, tone: "wait", title: "Sender not checked yet", allowed: true }
  const name = address.slice(at + 1).toLowerCase()
  const domain = domains.find((one) => one.domain === name)
  if (!domain) {
    return {
      ...base,
      tone: "bad",
      title: "The sender's domain is not in this project",
      detail: `Add ${name} and publish its records first.`,
      fix: "domains",
      allowed: true,
    }
  }
  if (domain.status === "verified") return { ...base, tone: "good", title: "Sender verified", detail: name }
  if (domain.status === "degraded") {
    return {
      ...base,
      tone: "warn",
      title: "The sender's domain is degraded",
      detail: `A record of ${name} is missing; email is still sent for up to 72 hours.`,
      fix: "domains",
    }
  }
  return {
    ...base,
    tone: "bad",
    title: "The sender's domain is not verified",
    detail: `${name} cannot send until its records are found.`,
    fix: "domains",
    allowed: true,
  }
}

function recipientCheck(fields: Fields, { recipients, audience, maxRecipients }: Around): ComposeCheck {
  if (audience) return audienceCheck(audience, fields.when)
  const base = { id: "recipients", field: "to" as const }
  const of = (state: CheckedRecipient["state"]) => recipients.filter((one) => one.state === state)
  const [invalid, suppressed] = [of("invalid"), of("suppressed")]
  if (bodyOfFields(fields).to.length === 0) return { ...base, tone: "wait", title: "No recipient yet" }
  if (recipients.length > maxRecipients) {
    return {
      ...base,
      tone: "bad",
      title: "Too many recipients",
      detail: `${recipients.length} of at most ${maxRecipients} in to, cc and bcc.`,
    }
  }
  if (invalid.length)
    return {
      ...base,
      tone: "bad",
      title: "Not every recipient is an address",
      detail: invalid.map(({ address }) => address).join(", "),
    }
  if (suppressed.length === recipients.length) {
    const why = suppressed.length === 1 && suppressed[0]?.detail ? `${suppressed[0].detail}. ` : ""
    return {
      ...base,
      tone: "bad",
      title: "Every recipient is suppressed",
      detail: `${why}Nothing would be sent to ${named(suppressed)}; the email would end as Suppressed.`,
      allowed: true,
    }
  }
  if (suppressed.length) {
    return {
      ...base,
      tone: "warn",
      title: `${suppressed.length} of ${countText(recipients.length, "recipient")} suppressed`,
      detail: `Nothing goes to ${named(suppressed)}; the others get theirs.`,
    }
  }
  if (of("unknown").length) return { ...base, tone: "wait", title: "Recipients not checked yet", allowed: true }
  return {
    ...base,
    tone: "good",
    title: recipients.length === 1 ? "One recipient" : `${recipients.length} recipients`,
    detail: messagesWords(fields, recipients.length),
  }
}

/** The first three by their address: more would bury what is said of them. */
function named(recipients: CheckedRecipient[]): string {
  const shown = recipients.slice(0, 3).map(({ address }) => addressWithoutName(address))
  const more = recipients.length - shown.length
  return more > 0 ? `${shown.join(", ")} and ${more} more` : shown.join(" and ")
}

function messagesWords({ cc, bcc }: Fields, count: number): string {
  if (count === 1) return "Not suppressed."
  if (cc.trim() || bcc.trim()) return "One message that all of them share; to and cc see each other."
  return "One message each; none of them sees the others."
}

/** Of a topic beside addresses or a segment; what it takes from a segment is said of the recipients. */
function topicCheck({ to, topicId }: Fields, { topics, audience }: Around): ComposeCheck | null {
  if (!topicId || topicIn(to) || !topics) return null
  const base = { id: "topic", field: "topicId" as const }
  const name = topics.find(({ id }) => id === topicId)?.name
  if (name === undefined)
    return {
      ...base,
      tone: "bad",
      title: "The topic no longer exists",
      detail: "Choose another, or none.",
      allowed: true,
    }
  if (audience)
    return {
      ...base,
      tone: "good",
      title: `Only subscribers of ${name}`,
      detail: "Segment members who are not subscribed to this topic are excluded.",
    }
  return {
    ...base,
    tone: "good",
    title: `Part of ${name}`,
    detail:
      "Contacts who are not subscribed to this topic are suppressed. An address that is not a contact gets it, unless it has unsubscribed.",
  }
}

function unsubscribeCheck(
  { sendTimeCategory, tracking, topicId, cc, bcc }: Fields,
  { recipients, audience }: Around,
): ComposeCheck {
  const wanted =
    audience ||
    topicId ||
    tracking.unsubscribeTracking === "on" ||
    (tracking.unsubscribeTracking === "" && sendTimeCategory !== "transactional")
  const base = { id: "unsubscribe", title: "Unsubscribe" }
  if (!wanted && sendTimeCategory === "transactional")
    return { ...base, tone: "good", detail: "Transactional email carries no unsubscribe header." }
  if (!wanted) {
    return {
      ...base,
      tone: "warn",
      title: "No unsubscribe header",
      detail: "Gmail and Yahoo require one-click unsubscribe in email that is not transactional.",
    }
  }
  const shared = cc.trim() !== "" || bcc.trim() !== ""
  if (shared && tracking.unsubscribeTracking === "on") {
    const detail =
      "Email with cc or bcc is one shared message and cannot carry an unsubscribe link. Remove cc and bcc, or turn the link off."
    return { ...base, tone: "bad", title: "Unsubscribe link refused", detail, allowed: true }
  }
  if (shared && recipients.length > 1) {
    return {
      ...base,
      tone: "warn",
      title: "No unsubscribe header",
      detail: "A shared message cannot carry one; remove cc and bcc.",
    }
  }
  return {
    ...base,
    tone: "good",
    detail: "One-click unsubscribe (RFC 8058) goes into the headers, a link below the text.",
  }
}
