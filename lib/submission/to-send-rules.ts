import { createHash } from "node:crypto"
import { parseAddress } from "@/lib/addresses/address"
import { isOurHeader } from "@/lib/emails/header-rules"
import type { FieldProblem } from "@/lib/platform/http/problem"
import { mailboxText, type SubmittedMail } from "@/lib/submission/read-mail"

/** Whom MAIL and RCPT named (RFC 5321 section 3.3). */
export type SubmittedEnvelope = { from: string; recipients: readonly string[] }

/** The body of `POST /v1/emails`, which checks all of it. */
export type SendBody = { from: string; to: string[] } & Record<string, unknown>

/** The headers that say what the API's fields do; `json` where the value of the field is no text. */
export const submissionHeaders: Record<string, { field: string; json?: true }> = {
  "x-mailroom-topic": { field: "topicId" },
  "x-mailroom-category": { field: "sendTimeCategory" },
  "x-mailroom-tags": { field: "tags", json: true },
  "x-mailroom-metadata": { field: "metadata", json: true },
  "x-mailroom-scheduled-at": { field: "scheduledAt" },
  "x-mailroom-delivery-window": { field: "deliveryWindow", json: true },
  "x-mailroom-idempotency-key": { field: "idempotencyKey" },
  "x-mailroom-tracking": { field: "trackingSettings", json: true },
  "x-mailroom-test-mode": { field: "testMode", json: true },
  "x-mailroom-tls": { field: "tls" },
  "x-mailroom-give-up-after-seconds": { field: "giveUpAfterSeconds", json: true },
}

/**
 * The send that a message asks for. Recipients are those of the envelope alone; the header says which of them are seen as `to` and
 * `cc`. Headers that this service sets are left out, `Bcc` among them.
 */
export function sendOf(
  mail: SubmittedMail,
  envelope: SubmittedEnvelope,
  keyId: string,
): { send: SendBody; faults?: never } | { send?: never; faults: FieldProblem[] } {
  const faults: FieldProblem[] = []
  const [from, ...others] = mail.from
  if (!from || others.length > 0)
    faults.push({ pointer: "/from", detail: "The header From names one address, and there is one such header." })
  if (mail.replyTo.length > 1) faults.push({ pointer: "/replyTo", detail: "The header Reply-To names one address." })
  const fields = fieldsOf(mail.headers, faults)
  const headers = customHeaders(mail.headers, faults)
  if (!from || faults.length > 0) return { faults }

  const [replyTo] = mail.replyTo
  const { html, text, attachments } = mail
  const messageId = valueOf(mail.headers, "message-id")
  const send = {
    from: mailboxText(from),
    ...recipientsOf(mail, envelope),
    subject: valueOf(mail.headers, "subject"),
    ...(replyTo ? { replyTo: mailboxText(replyTo) } : {}),
    ...(html === undefined ? {} : { html }),
    ...(text === undefined ? {} : { text }),
    ...(attachments.length > 0 ? { attachments } : {}),
    ...(Object.keys(headers).length > 0 ? { headers } : {}),
    ...(messageId ? { idempotencyKey: idempotencyKeyOf(messageId, envelope, keyId) } : {}),
    ...fields,
  }
  return { send }
}

type Mailbox = SubmittedMail["to"][number]
type Header = SubmittedMail["headers"][number]

/** A program that has lost our answer sends the same message again: the same id, sender and recipients, with the same key. */
function idempotencyKeyOf(messageId: string, { from, recipients }: SubmittedEnvelope, keyId: string): string {
  const parts = [keyId, messageId, from, ...recipients.map(canonical).sort()]
  return `smtp:${createHash("sha256").update(JSON.stringify(parts)).digest("base64url")}`
}

/**
 * Who is named in no header must not be seen by the others: `bcc`, or `to` where nobody is named, because without cc and bcc each
 * address gets a message of its own.
 */
function recipientsOf(
  mail: SubmittedMail,
  { recipients }: SubmittedEnvelope,
): Pick<SendBody, "to"> & { cc?: string[]; bcc?: string[] } {
  const left = new Map(recipients.map((address) => [canonical(address), address]))
  const named = (mailboxes: readonly Mailbox[]) =>
    mailboxes.flatMap(({ name, address }) => {
      const given = left.get(canonical(address))
      left.delete(canonical(address))
      return given === undefined ? [] : [mailboxText({ name, address: given })]
    })
  const [to, cc] = [named(mail.to), named(mail.cc)]
  const bcc = [...left.values()]
  if (to.length === 0 && cc.length === 0) return { to: bcc }
  return {
    ...(to.length > 0 ? { to } : { to: cc }),
    ...(to.length > 0 && cc.length > 0 ? { cc } : {}),
    ...(bcc.length > 0 ? { bcc } : {}),
  }
}

function canonical(address: string): string {
  const parsed = parseAddress(address)
  return parsed.ok ? parsed.canonical : address.toLowerCase()
}

function valueOf(headers: readonly Header[], key: string): string {
  return headers.find(({ name }) => name.toLowerCase() === key)?.value ?? ""
}

/** The fields of the send that X-Mailroom- headers give. */
function fieldsOf(headers: readonly Header[], faults: FieldProblem[]): Record<string, unknown> {
  const fields: Record<string, unknown> = {}
  for (const { name, value } of headers) {
    const key = name.toLowerCase()
    if (!key.startsWith("x-mailroom-")) continue
    const known = Object.hasOwn(submissionHeaders, key) ? submissionHeaders[key] : undefined
    if (!known) faults.push({ pointer: `/headers/${name}`, detail: `There is no header ${name}.` })
    else if (known.field in fields)
      faults.push({ pointer: `/${known.field}`, detail: `The header ${name} is given twice.` })
    else fields[known.field] = known.json ? jsonOf(name, value, known.field, faults) : value
  }
  return fields
}

function jsonOf(name: string, value: string, field: string, faults: FieldProblem[]): unknown {
  try {
    return JSON.parse(value)
  } catch {
    faults.push({ pointer: `/${field}`, detail: `The header ${name} holds the field ${field} as JSON.` })
    return null
  }
}

function customHeaders(headers: readonly Header[], faults: FieldProblem[]): Record<string, string> {
  const custom = new Map<string, string>()
  for (const { name, value } of headers) {
    if (isOurHeader(name)) continue
    if (custom.has(name)) faults.push({ pointer: `/headers/${name}`, detail: `The header ${name} is given twice.` })
    custom.set(name, value)
  }
  return Object.fromEntries(custom)
}
