import { Readable } from "node:stream"
import { setImmediate } from "node:timers/promises"
import { z } from "zod"
import {
  refused,
  refuseRepeated,
  withoutEffect,
  addressList,
  addressListCharsMax,
  given,
  labelsOf,
  templateRef,
  type FieldNames,
  type FaceSend,
} from "@/lib/faces/face"
import { substituted } from "@/lib/faces/substitute"
import { parseAddress } from "@/lib/addresses/address"
import busboy from "busboy"
import type { Asked, Receiving } from "@/lib/platform/http/endpoint"
import { JsonInvalid, parseJson } from "@/lib/platform/http/json"
import { requestInvalid, unsupportedMediaType } from "@/lib/platform/http/problems"
import { readBytes } from "@/lib/platform/http/request-body"
import { createTurns } from "@/lib/platform/jobs/turns"
import { decimalNumber, isObject } from "@/lib/platform/schema"

const many = <S extends z.ZodType>(element: S) =>
  z.union([element.transform((one) => [one]), z.array(element).max(1_000)])
const addresses = many(z.string()).refine(
  (texts) => texts.join(",").length <= addressListCharsMax,
  `May have ${addressListCharsMax} characters.`,
)
const flag = z.enum(["yes", "no", "true", "false", "True", "False"]).transform((text) => /^(yes|true)$/i.test(text))
const tracking = z
  .enum(["yes", "no", "true", "false", "True", "False", "htmlonly"])
  .transform((text) => /^(yes|true|htmlonly)$/i.test(text))
const File = z.strictObject({ filename: z.string(), contentType: z.string(), content: z.string() })

/** Names and values in the JSON of one field: a thousand recipients with 49 variables each. */
const jsonPartsMax = 100_000

/** An object in JSON, counted and read as strictly as a body. @throws requestTooLarge */
const jsonObject = z.string().transform((text, context) => {
  try {
    const value = parseJson(Buffer.from(text), jsonPartsMax)
    if (isObject(value)) return value
  } catch (error) {
    if (!(error instanceof JsonInvalid)) throw error
  }
  context.addIssue({ code: "custom", message: "Must be an object in JSON, without repeated names." })
  return z.NEVER
})

/** With `recipient-variables`, as Mailgun has it. */
export const recipientsMax = 1_000

type Variables = Record<string, string>

/** The variables of each recipient, by canonical address. The first fault ends it: zod would name each of a hundred thousand. */
const recipientVariables = jsonObject.transform((given, context) => {
  const recipients = Object.entries(given)
  const fault = (message: string, ...path: string[]) => {
    context.addIssue({ code: "custom", message, path })
    return z.NEVER
  }
  if (recipients.length > recipientsMax) return fault(`May name ${recipientsMax} recipients.`)
  const ofRecipients = new Map<string, Variables>()
  for (const [address, values] of recipients) {
    if (!isObject(values)) return fault("Must be an object.", address)
    const variables: Variables = {}
    for (const [name, value] of Object.entries(values)) {
      const text = textOf(value)
      if (text === null) return fault("Must be a text, a number that is exact, or a boolean.", address, name)
      variables[name] = text
    }
    // Of two spellings of an address, the first counts.
    if (!ofRecipients.has(addressOf(address))) ofRecipients.set(addressOf(address), variables)
  }
  return ofRecipients
})

function textOf(value: unknown): string | null {
  if (value === null) return ""
  if (typeof value === "number") return decimalNumber.safeParse(value).success ? String(value) : null
  return typeof value === "string" || typeof value === "boolean" ? String(value) : null
}

export const MailgunMessage = z.strictObject({
  from: z.string().describe("`from`."),
  to: addresses.describe(
    "`to`. Several addresses get a message each, unless there is `cc` or `bcc`: then all share one.",
  ),
  cc: addresses.optional().describe("`cc`."),
  bcc: addresses.optional().describe("`bcc`."),
  subject: z.string().optional().describe("`subject`. With `template` it is refused: the template gives the subject."),
  text: z.string().optional().describe("`text`."),
  html: z.string().optional().describe("`html`."),
  attachment: many(File).optional().describe("`attachments`."),
  inline: many(File).optional().describe("`attachments` with the file name as `contentId`."),
  template: z.string().optional().describe("`template`: a `tpl_` id or the name of a template."),
  "t:variables": jsonObject
    .optional()
    .describe("`template.variables`: texts and numbers. Objects and lists are refused."),
  "recipient-variables": recipientVariables
    .optional()
    .describe(
      "`%recipient.name%` in subject, bodies, headers, `t:variables` and `v:…`. Each address of `to` gets an email of its own.",
    ),
  "o:tag": many(z.string()).optional().describe("`tags`, one for each, without a value."),
  "o:deliverytime": z.string().optional().describe("`scheduledAt`: RFC 2822 or ISO 8601, with its offset."),
  "o:testmode": flag.optional().describe("`testMode`."),
  "o:tracking": tracking.optional().describe("`trackingSettings.openTracking` and `clickTracking`."),
  "o:tracking-opens": flag.optional().describe("`trackingSettings.openTracking`."),
  "o:tracking-clicks": tracking.optional().describe("`trackingSettings.clickTracking`."),
  "o:require-tls": flag.optional().describe("`tls`: `required`, or `verified` unless `o:skip-verification` is `yes`."),
  "o:skip-verification": flag.optional().describe("With `o:require-tls`."),
  "o:dkim": withoutEffect(flag, "every email is signed."),
  h: z
    .record(z.string(), z.string())
    .superRefine((headers, context) =>
      refuseRepeated(
        Object.keys(headers).map((name) => ({ name: name.toLowerCase(), path: [name] })),
        context,
      ),
    )
    .optional()
    .describe(
      "`h:Reply-To` is `replyTo`, others are `headers`. `h:Sender` is left out where it is the address of `from`, `<%tag_unsubscribe_email%>` always.",
    ),
  v: z.record(z.string(), z.string()).optional().describe("`metadata`."),
  "amp-html": refused("there is no AMP part."),
  "t:version": refused("sends use the published version of a template."),
  "t:text": refused("a template has a text of its own."),
  "o:deliverytime-optimize-period": refused("use `scheduledAt: optimal` of our own API."),
  "o:time-zone-localize": refused("there are no time zones of recipients."),
})

export type MailgunMessage = z.output<typeof MailgunMessage>

export const MailgunAccepted = z.strictObject({ id: z.string(), message: z.string() })

/** Its types of events by ours. */
export const eventNames: Record<string, string> = {
  sent: "accepted",
  delivered: "delivered",
  bounced: "failed",
  complained: "complained",
  opened: "opened",
  clicked: "clicked",
  unsubscribed: "unsubscribed",
}

const seconds = z.string().regex(/^\d{1,12}(\.\d+)?$/, "Must be seconds since 1970.")

export const eventsQuery = {
  event: z.string().max(200).optional().describe("Types, with `OR` between them."),
  tags: z.string().max(200).optional().describe("One tag."),
  recipient: z.string().max(320).optional().describe("Exact address."),
  begin: seconds.optional().describe("Seconds since 1970; by default an hour ago."),
  end: seconds.optional().describe("Seconds since 1970."),
  ascending: z.enum(["yes"], "Events are listed oldest first: give yes.").optional().describe("`yes`: the only order."),
  limit: z
    .string()
    .regex(/^\d{1,3}$/, "Must be at most 300.")
    .optional()
    .describe("At most so many; a page has up to 50 in any case."),
  page: z.string().max(200).optional().describe("From `paging`."),
}

const Urls = z.strictObject({ first: z.string(), previous: z.string(), next: z.string(), last: z.string() })

export const MailgunEvents = z.strictObject({
  items: z.array(z.record(z.string(), z.unknown())),
  paging: Urls,
})

/** The names of our fields. */
export const mailgunNames: FieldNames = {
  ...{ replyTo: "h:Reply-To", attachments: "attachment", tags: "o:tag", metadata: "v", headers: "h" },
  ...{ scheduledAt: "o:deliverytime", trackingSettings: "o:tracking", tls: "o:require-tls", testMode: "o:testmode" },
}

export function toOf({ to }: MailgunMessage): string[] {
  return to.flatMap(addressList)
}

/** The same, each address once: the first of its spellings. */
export function distinctTo(message: MailgunMessage): string[] {
  const distinct = new Map<string, string>()
  for (const text of toOf(message)) if (!distinct.has(addressOf(text))) distinct.set(addressOf(text), text)
  return [...distinct.values()]
}

/** The body of `POST /v1/emails` for these recipients, with the values that the placeholders have for the first of them. */
export function fromMailgun(message: MailgunMessage, to: readonly string[]): FaceSend {
  const { template, h = {}, v } = message
  const values = valuesFor(message, to[0] ?? "")
  const fill = (text: string | undefined, name: string) => text && substituted(text, values, `/${name}`)
  const { replyTo, headers } = headersOf(h, message.from)
  const filled = Object.entries(headers).map(([name, value]) => [name, fill(value, `h:${name}`)] as const)
  const variables = Object.fromEntries(
    Object.entries(message["t:variables"] ?? {}).map(([name, value]) => [
      name,
      typeof value === "string" ? fill(value, "t:variables") : value,
    ]),
  )
  const [opens, clicks] = [message["o:tracking-opens"], message["o:tracking-clicks"]]
  const tracking = given({
    openTracking: opens ?? message["o:tracking"],
    clickTracking: clicks ?? message["o:tracking"],
  })
  return given({
    from: message.from,
    to,
    cc: message.cc?.flatMap(addressList),
    bcc: message.bcc?.flatMap(addressList),
    replyTo: fill(replyTo, "h:Reply-To"),
    subject: fill(message.subject, "subject") ?? (template === undefined ? "" : undefined),
    text: fill(message.text, "text"),
    html: fill(message.html, "html"),
    attachments: message.attachment || message.inline ? attachmentsOf(message) : undefined,
    template: template === undefined ? undefined : { ...templateRef(template), variables },
    headers: filled.length > 0 ? Object.fromEntries(filled) : undefined,
    metadata: v && Object.fromEntries(Object.entries(v).map(([name, value]) => [name, fill(value, `v:${name}`)])),
    tags: message["o:tag"] && labelsOf(message["o:tag"]),
    scheduledAt: timeOf(message["o:deliverytime"]),
    testMode: message["o:testmode"],
    tls: message["o:require-tls"] ? (message["o:skip-verification"] ? "required" : "verified") : undefined,
    trackingSettings: Object.keys(tracking).length > 0 ? tracking : undefined,
  })
}

function valuesFor(message: MailgunMessage, recipient: string): Variables {
  const own = message["recipient-variables"]?.get(addressOf(recipient)) ?? {}
  return Object.fromEntries(Object.entries(own).map(([name, value]) => [`%recipient.${name}%`, value]))
}

function addressOf(text: string): string {
  const parsed = parseAddress(text)
  return parsed.ok ? parsed.canonical : text
}

function headersOf(given: Readonly<Record<string, string>>, from: string) {
  const headers: Record<string, string> = {}
  let replyTo: string | undefined
  for (const [name, value] of Object.entries(given)) {
    const lower = name.toLowerCase()
    const left = lower === "list-unsubscribe" ? value.replace(/(^|,)\s*<%tag_unsubscribe_email%>/, "") : value
    if (lower === "reply-to") replyTo = value
    else if (lower === "sender" && addressOf(value) === addressOf(from)) continue
    else if (left.trim() !== "") headers[name] = left.trim()
  }
  return { headers, replyTo }
}

function attachmentsOf({ attachment = [], inline = [] }: MailgunMessage) {
  return [...attachment, ...inline.map((file) => ({ ...file, contentId: file.filename, disposition: "inline" }))]
}

const months = ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"]

/** Zones of RFC 2822 section 4.3. */
const zones: Record<string, string> = {
  ...{ UT: "Z", UTC: "Z", GMT: "Z", Z: "Z", "-0000": "Z" },
  ...{ EDT: "-0400", EST: "-0500", CDT: "-0500", CST: "-0600", MDT: "-0600", MST: "-0700", PDT: "-0700", PST: "-0800" },
}

/** A date of RFC 2822 as our own API takes it, which checks it; what is none is left as it is. */
function timeOf(text: string | undefined): string | undefined {
  const [, day = "", name = "", year, hour = "", minute, second = ":00", zone = ""] =
    /^(?:[a-z]{3},\s*)?(\d{1,2})\s+([a-z]{3})\s+(\d{4})\s+(\d{1,2}):(\d\d)(:\d\d)?\s+([+-]\d{4}|[a-z]{1,3})(?:\s+\([a-z]{1,5}\))?$/i.exec(
      text?.slice(0, 100).trim() ?? "",
    ) ?? []
  const month = months.indexOf(name.toLowerCase()) + 1
  if (year === undefined || month === 0) return text
  const two = (digits: string | number) => String(digits).padStart(2, "0")
  const offset = zones[zone.toUpperCase()] ?? zone
  return `${year}-${two(month)}-${two(day)}T${two(hour)}:${minute}${second}${offset}`
}

/** Of a form: a thousand recipients, and the rest. */
const partsMax = 2_000

type Value = string | { filename: string; contentType: string; content: string }

/**
 * A form, multipart or URL-encoded, as JSON: repeated fields are lists, files their content in base64, and the fields of a prefix
 * (`h:X-Order`) members of an object (`h`).
 * @throws requestTooLarge, requestTimeout, requestInvalid, unsupportedMediaType
 */
export async function formAsJson(asked: Asked, bytesMax: number, receiving?: Receiving): Promise<Uint8Array> {
  const type = asked.headers.get("content-type") ?? ""
  const bytes = Buffer.from(await readBytes(asked, bytesMax, receiving))
  if (/^multipart\/form-data\b/i.test(type)) return jsonOf(await multipartFields(bytes, type))
  if (/^application\/x-www-form-urlencoded\b/i.test(type)) {
    const fields = encodedFields(bytes)
    // Each pass over megabytes is a turn of its own.
    await setImmediate()
    return jsonOf(fields)
  }
  throw unsupportedMediaType("This operation takes a form: multipart/form-data or application/x-www-form-urlencoded.")
}

/** Takes the bytes: a space for each plus, which URLSearchParams takes seconds to replace where there are millions. */
function encodedFields(bytes: Buffer): [string, string][] {
  let count = 1
  for (let at = 0; at < bytes.length; at++) {
    if (bytes[at] === ampersand) count++
    else if (bytes[at] === plus) bytes[at] = space
  }
  if (count > partsMax) throw tooMany()
  return [...new URLSearchParams(bytes.toString())]
}

const space = 32
const ampersand = 38
const plus = 43

function tooMany() {
  return requestInvalid(`A form has at most ${partsMax} fields and files.`)
}

function multipartFields(bytes: Buffer, type: string): Promise<[string, Value][]> {
  const fields: [string, Value][] = []
  const malformed = () => requestInvalid("The form is malformed or cut short.")
  return new Promise((resolve, reject) => {
    let form: busboy.Busboy
    try {
      form = busboy({
        headers: { "content-type": type },
        limits: { parts: partsMax, fieldSize: bytes.length, fileSize: bytes.length, headerPairs: 20 },
        defParamCharset: "utf8",
      })
    } catch {
      return reject(requestInvalid("The form has no usable boundary."))
    }
    form.on("field", (name, value) => fields.push([name, value]))
    form.on("file", (name, file, { filename, mimeType }) => {
      const chunks: Buffer[] = []
      file.on("error", () => reject(malformed()))
      file.on("data", (chunk: Buffer) => chunks.push(chunk))
      file.on("end", () => {
        const content = Buffer.concat(chunks).toString("base64")
        fields.push([name, { filename: filename ?? "", contentType: mimeType, content }])
      })
    })
    form.on("partsLimit", () => reject(tooMany()))
    form.on("error", () => reject(malformed()))
    form.on("close", () => resolve(fields))
    Readable.from(piecesOf(bytes)).pipe(form)
  })
}

const pieceBytes = 64 * 1024

/** Others of this process come in between the pieces. */
async function* piecesOf(bytes: Buffer): AsyncGenerator<Buffer> {
  const turn = createTurns()
  for (let from = 0; from < bytes.length; from += pieceBytes) {
    yield bytes.subarray(from, from + pieceBytes)
    await turn()
  }
}

function jsonOf(fields: readonly (readonly [string, Value])[]): Uint8Array {
  const values = new Map<string, Value[]>()
  for (const [name, value] of fields) {
    const known = values.get(name)
    if (known) known.push(value)
    else values.set(name, [value])
  }
  const plain: [string, unknown][] = []
  const prefixed: Record<string, [string, unknown][]> = { h: [], v: [] }
  for (const [name, all] of values) {
    const value = all.length === 1 ? all[0] : all
    const [, prefix = "", rest = ""] = /^([hv]):(.+)$/s.exec(name) ?? []
    if (prefix === "") plain.push([name, value])
    else prefixed[prefix]?.push([rest, value])
  }
  for (const [prefix, members] of Object.entries(prefixed))
    if (members.length > 0) plain.push([prefix, Object.fromEntries(members)])
  return Buffer.from(JSON.stringify(Object.fromEntries(plain)))
}
