import { relativeHost, type ShownRecord } from "@/components/domains/records"

/** What to enter in the DNS form, and which of its fields that is. */
export type CopiedValue = { what: "host" | "value" | "term"; text: string }

/** Mistakes that are fixed by deleting something. */
const deletions = ["several-records", "extra-mx", "cname-in-the-way", "alias-loop"]

/** What the fix of a record asks to enter; null where there is nothing to enter, or not yet. */
export function copiedValue(record: ShownRecord, zone: string): CopiedValue | null {
  const { name, value, likelyCause: { code, foundAt } = {}, retired, retiredOver } = record
  if ((retired && !retiredOver) || (code && deletions.includes(code))) return null
  if (foundAt) return { what: "host", text: relativeHost(name, zone) }
  // The provider appends the zone to a value without the final dot.
  if (code === "doubled-zone") return { what: "value", text: `${value}.` }
  const [include] = code === "spf-not-passing" ? (/include:\S+/.exec(value) ?? []) : []
  return include ? { what: "term", text: include } : { what: "value", text: value }
}
