import type { FieldName } from "@/components/compose/check"
import type { Fault } from "@/components/compose/faults"
import type { ProblemDocument } from "@/lib/platform/http/problem"

/** A refusal of the API, each fault on the field of this page that it is about; the rest speaks for the whole form. */
export function refusedFaults(problem: ProblemDocument): Fault[] {
  const { code, detail, title, errors = [] } = problem
  const field = fieldOfCode[code]
  if (field) return [{ field, message: detail ?? title }]
  if (errors.length === 0) return [{ field: "root", message: detail ?? title }]
  return errors.map(({ pointer, detail: message }) => {
    const place = fieldOfPointer(pointer)
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
  if (head === "deliveryWindow") return next === "end" ? "windowEnd" : "windowStart"
  return fieldOfHead[head] ?? "root"
}
