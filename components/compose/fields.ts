import type { CallInput } from "@/components/data/call"
import { sampleFields } from "@/components/emails/curl"
import type { Email } from "@/components/emails/queries"
import { splitTypedAddresses, topicIn } from "@/components/compose/addresses"
import { presentBody } from "@/lib/emails/message-rules"

export type SendBody = NonNullable<CallInput<"POST /v1/emails">["body"]>
type Attachment = NonNullable<SendBody["attachments"]>[number]

export type Pair = { name: string; value: string }
/** A file of the person, read whole; `bytes` is its decoded size. */
export type AttachedFile = Omit<Attachment, "contentId" | "disposition"> & {
  bytes: number
  contentId: string
  inline: boolean
}

export const trackingNames = ["openTracking", "clickTracking", "readEngagement", "unsubscribeTracking"] as const
export type TrackingName = (typeof trackingNames)[number]
type Choice = "" | "on" | "off"

/** The fields of the form as typed; times are local, in the format of `datetime-local`. */
export type Fields = Record<"from" | "to" | "cc" | "bcc" | "topicId" | "replyTo" | "subject", string> &
  /** `write` is what HTML and text are made from, unless these were written by hand. */
  Record<"write" | "html" | "text", string> &
  Record<"scheduledAt" | "windowStart" | "windowEnd" | "idempotencyKey" | "giveUpHours", string> &
  Record<"headers" | "tags" | "metadata", Pair[]> & {
    /** Id of the template that gives subject and bodies; empty for what is written here. */
    template: string
    templateValues: Readonly<Record<string, string>>
    attachments: AttachedFile[]
    sendTimeCategory: NonNullable<SendBody["sendTimeCategory"]>
    tracking: Record<TrackingName, Choice>
    when: "now" | "later"
    testMode: boolean
  }

export const noFields: Fields = {
  from: "",
  to: "",
  cc: "",
  bcc: "",
  topicId: "",
  replyTo: "",
  subject: "",
  write: "",
  html: "",
  text: "",
  scheduledAt: "",
  windowStart: "",
  windowEnd: "",
  idempotencyKey: "",
  giveUpHours: "",
  headers: [],
  tags: [],
  metadata: [],
  template: "",
  templateValues: {},
  attachments: [],
  sendTimeCategory: "transactional",
  tracking: { openTracking: "", clickTracking: "", readEngagement: "", unsubscribeTracking: "" },
  when: "now",
  testMode: false,
}

/** The fields for sending an email once more. What the API does not give back stays empty. */
export function fieldsOfBody(email: Email): Fields {
  const { from, to, cc = [], bcc = [], replyTo = "", subject, html = "", text = "", tags, metadata, testMode } = email
  const { topicId = "", sendTimeCategory = noFields.sendTimeCategory, trackingSettings = {} } = sampleFields(email)
  return {
    ...noFields,
    from,
    to: to.join(", "),
    cc: cc.join(", "),
    bcc: bcc.join(", "),
    topicId,
    replyTo,
    subject,
    html,
    text,
    tags: pairsOf(tags),
    metadata: pairsOf(metadata),
    sendTimeCategory,
    tracking: choicesOf(trackingSettings),
    testMode,
  }
}

export function choicesOf(settings: Partial<Record<TrackingName, boolean>>): Fields["tracking"] {
  const choice = (name: TrackingName): Choice => (settings[name] === undefined ? "" : settings[name] ? "on" : "off")
  return {
    openTracking: choice("openTracking"),
    clickTracking: choice("clickTracking"),
    readEngagement: choice("readEngagement"),
    unsubscribeTracking: choice("unsubscribeTracking"),
  }
}

export function pairsOf(entries: Record<string, string> = {}): Pair[] {
  return Object.entries(entries).map(([name, value]) => ({ name, value }))
}

/** The request for these fields, without empty ones, so that the command shown for it is short. */
export function bodyOfFields(fields: Fields): SendBody {
  const {
    from,
    subject,
    html,
    text,
    sendTimeCategory,
    when,
    scheduledAt,
    windowStart,
    windowEnd,
    testMode,
    giveUpHours,
  } = fields
  const [to, cc, bcc] = [
    splitTypedAddresses(fields.to),
    splitTypedAddresses(fields.cc),
    splitTypedAddresses(fields.bcc),
  ]
  const { attachments, headers, tags, metadata } = fields
  const tracking = trackingOf(fields)
  return {
    from: from.trim(),
    to,
    ...(cc.length ? { cc } : {}),
    ...(bcc.length ? { bcc } : {}),
    ...(fields.topicId && !topicIn(fields.to) ? { topicId: fields.topicId } : {}),
    ...(fields.replyTo.trim() ? { replyTo: fields.replyTo.trim() } : {}),
    ...(fields.template
      ? { subject: "", template: { id: fields.template, variables: givenValues(fields) } }
      : { subject, ...(presentBody(html) ? { html } : {}), ...(presentBody(text) ? { text } : {}) }),
    ...(attachments.length ? { attachments: attachments.map(attachmentOf) } : {}),
    ...(headers.some(isFilled) ? { headers: entriesOf(headers) } : {}),
    ...(tags.some(isFilled) ? { tags: entriesOf(tags) } : {}),
    ...(metadata.some(isFilled) ? { metadata: entriesOf(metadata) } : {}),
    ...(sendTimeCategory === "transactional" ? {} : { sendTimeCategory }),
    ...(when === "later" ? { scheduledAt: isoOf(scheduledAt) } : {}),
    ...(windowStart || windowEnd ? { deliveryWindow: { start: isoOf(windowStart), end: isoOf(windowEnd) } } : {}),
    ...(Object.keys(tracking).length ? { trackingSettings: tracking } : {}),
    ...(testMode ? { testMode } : {}),
    ...(giveUpHours.trim() ? { giveUpAfterSeconds: Math.round(Number(giveUpHours) * 3600) } : {}),
    ...(fields.idempotencyKey ? { idempotencyKey: fields.idempotencyKey } : {}),
  }
}

/** Of variables without a value, the fallback counts. */
export function givenValues({ templateValues }: Fields): Record<string, string> {
  return Object.fromEntries(Object.entries(templateValues).filter(([, value]) => value !== ""))
}

function attachmentOf({ filename, content, contentType, contentId, inline }: AttachedFile): Attachment {
  return {
    filename,
    content,
    contentType,
    ...(inline ? { disposition: "inline" as const } : {}),
    ...(contentId ? { contentId } : {}),
  }
}

function isFilled({ name, value }: Pair): boolean {
  return Boolean(name.trim() || value)
}

function entriesOf(pairs: Pair[]): Record<string, string> {
  return Object.fromEntries(pairs.filter(isFilled).map(({ name, value }) => [name.trim(), value]))
}

export function trackingOf({ tracking }: Fields): Partial<Record<TrackingName, boolean>> {
  const chosen = trackingNames.filter((name) => tracking[name] !== "")
  return Object.fromEntries(chosen.map((name) => [name, tracking[name] === "on"]))
}

/** A local time as the API takes it; what is no time goes as it is, for the API to refuse on its field. */
export function isoOf(local: string): string {
  const at = new Date(local)
  return Number.isFinite(at.getTime()) ? at.toISOString() : local
}
