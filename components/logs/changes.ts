import { dateWords } from "@/components/ui/date-words"
import { isGroup, partsOf, type Condition, type Group } from "@/lib/segments/rules"
import { fieldWords } from "@/components/logs/field-words"
import { sentenceOf } from "@/components/segments/conditions"

export type ChangeRow = { name: string; before?: string; after: string }

const nothing = "nothing"

/** What changed, field by field, each named in words. */
export function changeRows(changes: Record<string, unknown> | undefined): ChangeRow[] {
  return changes ? rowsOf(changes).map((row) => ({ ...row, name: fieldWords(row.name) })) : []
}

/** With the value before where that is known, and only where the two differ. */
function rowsOf(changes: Record<string, unknown>): ChangeRow[] {
  const { before, after, ...rest } = changes
  const others = Object.entries(rest).flatMap(([name, value]) => {
    const pair = pairOf(value)
    if (pair) return [{ name, before: textOf(pair.before), after: textOf(pair.after) }]
    return value === undefined ? [] : [{ name, after: textOf(name === "fields" ? fieldsOf(value) : value) }]
  })
  if (!("before" in changes) && !("after" in changes)) return others
  if (!isRecord(before) && !isRecord(after))
    return [{ name: "value", before: textOf(before), after: textOf(after) }, ...others]
  const [was, is] = [isRecord(before) ? before : {}, isRecord(after) ? after : {}]
  const names = [...new Set([...Object.keys(was), ...Object.keys(is)])]
  const compared = names.map((name) => ({ name, before: textOf(was[name]), after: textOf(is[name]) }))
  return [...compared.filter((row) => row.before !== row.after), ...others]
}

/** Both values of one field; changes of roles and names call them `from` and `to`. */
function pairOf(value: unknown): { before: unknown; after: unknown } | null {
  if (!isRecord(value)) return null
  if ("before" in value && "after" in value) return { before: value.before, after: value.after }
  return "from" in value && "to" in value ? { before: value.from, after: value.to } : null
}

/** The names of the fields that changed, where their values are not kept. */
function fieldsOf(names: unknown): unknown {
  return Array.isArray(names) ? names.map((name) => fieldWords(String(name))) : names
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value)
}

function textOf(value: unknown): string {
  if (value === undefined || value === null || value === "") return nothing
  if (Array.isArray(value)) return value.length ? value.map(textOf).join(", ") : nothing
  if (typeof value === "object") return isFilter(value) ? sentenceOf(value) : JSON.stringify(value)
  return typeof value === "string" && isoTime.test(value) ? `${dateWords(value, exact)} UTC` : String(value)
}

const isoTime = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z$/
const exact = { dateStyle: "medium", timeStyle: "medium", timeZone: "UTC" } as const

/** The filter of a segment, with a condition at least. */
function isFilter(value: unknown): value is Group {
  if (!isGroup(value)) return false
  const [, nodes] = partsOf(value)
  return Array.isArray(nodes) && nodes.length > 0 && nodes.every((node) => isFilter(node) || isCondition(node))
}

function isCondition(value: unknown): value is Condition {
  return isRecord(value) && typeof value.field === "string" && typeof value.operator === "string"
}
