import type { Filter, Transformation } from "@/lib/webhooks/rules"

const operators: Record<Filter["operator"], string> = {
  eq: "is",
  neq: "is not",
  contains: "contains",
  exists: "exists",
}

/** A filter as a line: "data.to contains @acme.com". */
export function filterWords({ field, operator, value }: Filter): string {
  return [field, operators[operator], operator === "exists" ? "" : quoted(value)].filter(Boolean).join(" ")
}

/** A transformation as a line: "rename data.to to data.recipient". */
export function transformationWords({ type, field, from, to, template, value }: Transformation): string {
  if (type === "rename_field") return `rename ${from} to ${to}`
  if (type === "remove_field") return `remove ${field}`
  if (type === "add_field") return `add ${field} = ${quoted(value)}`
  return `compute ${field} = ${quoted(template)}`
}

function quoted(value: string | null | undefined): string {
  return JSON.stringify(value ?? null)
}
