import { headerFault, labelsFault } from "@/lib/emails/message-rules"
import type { Check, FieldName } from "@/components/compose/check"
import type { Fields } from "@/components/compose/fields"

export type Fault = { field: FieldName | "root"; message: string }

/** What would be refused for certain, each on its field: sending waits until these are fixed. */
export function faultsOf(fields: Fields, checks: Check[]): Fault[] {
  const faults: Fault[] = checks.flatMap(({ tone, field, title, detail, allowed }) => {
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
    const fault = labelsFault(Object.fromEntries(filled.map(({ name, value }) => [name.trim(), value])))
    if (fault) faults.push({ field, message: fault.sentence })
  }
  for (const field of ["headers", "tags", "metadata"] as const) {
    const names = fields[field].map(({ name }) => name.trim()).filter(Boolean)
    const twice = names.find((name, index) => names.indexOf(name) !== index)
    if (twice) faults.push({ field, message: `${twice} is there twice.` })
  }
  if (Boolean(fields.windowStart) !== Boolean(fields.windowEnd)) {
    faults.push({
      field: fields.windowStart ? "windowEnd" : "windowStart",
      message: "A window has a start and an end.",
    })
  }
  return faults
}

const missing: Partial<Record<FieldName, string>> = {
  from: "Give a sender.",
  to: "Name a recipient.",
  subject: "Give a subject.",
  html: "Give HTML, text or both.",
  scheduledAt: "Give a time.",
}
