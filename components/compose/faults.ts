import { audienceIn } from "@/components/compose/addresses"
import type { ProblemDocument } from "@/lib/platform/http/problem"
import { headerFault } from "@/lib/emails/header-rules"
import { labelsFaults, repeatedContentIds } from "@/lib/emails/message-rules"
import type { ComposeCheck, FieldName } from "@/components/compose/check"
import type { Fields } from "@/components/compose/fields"

export type ComposeFault = { field: FieldName | "root"; message: string }

/** What would be refused for certain, each on its field: sending waits until these are fixed. */
export function faultsOf(fields: Fields, checks: ComposeCheck[]): ComposeFault[] {
  const faults: ComposeFault[] = checks.flatMap(({ tone, field, title, detail, allowed }) => {
    if (!field || allowed) return []
    if (tone === "wait") return [{ field, message: missing[field] ?? title }]
    return tone === "bad" ? [{ field, message: [title, detail].filter(Boolean).join(": ") }] : []
  })
  for (const { name, value } of fields.headers) {
    const sentence = name.trim() || value ? headerFault(name.trim(), value) : null
    if (sentence) faults.push({ field: "headers", message: sentence })
  }
  for (const field of ["tags", "metadata"] as const) {
    const filled = fields[field].filter(({ name, value }) => name.trim() || value)
    const [fault] = labelsFaults(Object.fromEntries(filled.map(({ name, value }) => [name.trim(), value])))
    if (fault) faults.push({ field, message: fault.sentence })
  }
  for (const field of ["headers", "tags", "metadata"] as const) {
    // Letter case tells two tags apart, but not two headers.
    const names = fields[field].map(({ name }) => name.trim()).filter(Boolean)
    const compared = field === "headers" ? names.map((name) => name.toLowerCase()) : names
    const twice = names.find((_, index) => compared.indexOf(compared[index] ?? "") !== index)
    if (twice) faults.push({ field, message: `${twice} is listed twice.` })
  }
  const [repeated] = repeatedContentIds(fields.attachments)
  if (repeated !== undefined)
    faults.push({
      field: "attachments",
      message: `Two attachments have the content ID ${fields.attachments[repeated]?.contentId}.`,
    })
  if (audienceIn(fields.to) && (fields.windowStart || fields.windowEnd)) {
    faults.push({
      field: fields.windowStart ? "windowStart" : "windowEnd",
      message: "A broadcast has no delivery window. Clear it, and choose when the broadcast starts.",
    })
  } else if (Boolean(fields.windowStart) !== Boolean(fields.windowEnd)) {
    faults.push({
      field: fields.windowStart ? "windowEnd" : "windowStart",
      message: "Enter both a start and an end.",
    })
  }
  return faults
}

const missing: Partial<Record<FieldName, string>> = {
  from: "Enter a sender.",
  to: "Enter a recipient.",
  subject: "Enter a subject.",
  write: "Write the message, or enter HTML or text.",
  templateValues: "Give a value to every variable without a fallback.",
  scheduledAt: "Choose a time.",
}

/** A refusal of the API, each fault on the field of this page that it is about; the rest speaks for the whole form. */
export function refusedFaults(problem: ProblemDocument): ComposeFault[] {
  const { code, detail, title, errors = [] } = problem
  const field = fieldOfCode[code]
  if (field) return [{ field, message: detail ?? title }]
  if (errors.length === 0) return [{ field: "root", message: detail ?? title }]
  return errors.map(({ pointer, detail: message }) => {
    const place = fieldOfPointer(pointer)
    if (place === "templateValues") return { field: place, message: `${pointer.split("/").at(-1)}: ${message}` }
    return { field: place, message: place === "root" ? `${pointer} ${message}` : message }
  })
}

const fieldOfCode: Record<string, FieldName> = {
  "email.from_domain_not_verified": "from",
  "request.too_large": "attachments",
}

const fieldOfHead: Record<string, FieldName> = {
  from: "from",
  to: "to",
  cc: "cc",
  bcc: "bcc",
  replyTo: "replyTo",
  subject: "subject",
  template: "template",
  html: "html",
  text: "text",
  attachments: "attachments",
  headers: "headers",
  tags: "tags",
  metadata: "metadata",
  topicId: "topicId",
  scheduledAt: "scheduledAt",
  sendTimeCategory: "sendTimeCategory",
  giveUpAfterSeconds: "giveUpHours",
  idempotencyKey: "idempotencyKey",
  trackingSettings: "tracking",
}

function fieldOfPointer(pointer: string): FieldName | "root" {
  const [, head = "", next] = pointer.split("/")
  if (head === "template" && next === "variables") return "templateValues"
  if (head === "deliveryWindow") return next === "end" ? "windowEnd" : "windowStart"
  return fieldOfHead[head] ?? "root"
}
