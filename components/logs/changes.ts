import { filterSentence } from "@/components/segments/conditions"
import { dateWords } from "@/components/ui/date-words"
import { type Condition, type Group, isGroup, quantifierAndNodes } from "@/lib/segments/rules"

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
  if (typeof value === "object") return isFilter(value) ? filterSentence(value) : JSON.stringify(value)
  return typeof value === "string" && isoTime.test(value) ? `${dateWords(value, exact)} UTC` : String(value)
}

const isoTime = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z$/
const exact = { dateStyle: "medium", timeStyle: "medium", timeZone: "UTC" } as const

/** The filter of a segment, with a condition at least. */
function isFilter(value: unknown): value is Group {
  if (!isGroup(value)) return false
  const [, nodes] = quantifierAndNodes(value)
  return Array.isArray(nodes) && nodes.length > 0 && nodes.every((node) => isFilter(node) || isCondition(node))
}

function isCondition(value: unknown): value is Condition {
  return isRecord(value) && typeof value.field === "string" && typeof value.operator === "string"
}

const abbreviations = "API BIMI CSV DKIM DMARC DNS HTML HTTP HTTPS ID IP MX SMTP SPF TLS URL VMC".split(" ")

const units: Record<string, string> = { Ms: "ms", Seconds: "s", Minutes: "min", Hours: "h", Days: "days" }

/** Names whose own words would mislead, or that email writes in another way. */
const otherWords: Record<string, string> = {
  accepted24h: "Accepted (24 h)",
  avgDailyAccepted7d: "Accepted a day (average of 7 days)",
  mailFromDomain: "MAIL FROM domain",
  dailySends: "Sends a day",
  perDay: "Sends a day",
  perSecond: "Sends a second",
  perSecondSends: "Sends a second",
  start: "Key starts with",
  unsubRate: "Unsubscribe rate",
}

/** A field of the API in words: `defaultLifetimeSeconds` is "Default lifetime (s)". */
export function fieldWords(name: string): string {
  const known = otherWords[name]
  if (known) return known
  const words = name.split(/_|(?<=[a-z\d])(?=[A-Z])/)
  const unit = words.length > 1 ? units[words.at(-1) ?? ""] : undefined
  const text = (unit ? words.slice(0, -1) : words).map(wordOf).join(" ")
  return text.charAt(0).toUpperCase() + text.slice(1) + (unit ? ` (${unit})` : "")
}

function wordOf(word: string): string {
  const upper = word.toUpperCase()
  if (abbreviations.includes(upper)) return upper
  const singular = upper.replace(/S$/, "")
  return abbreviations.includes(singular) ? `${singular}s` : word.toLowerCase()
}
