import type { Domain } from "@/components/domains/queries"
import { recordGroups, type RecordKey, relativeHost, type ShownRecord, zoneOf } from "@/components/domains/records"
import { shownTitle } from "@/components/domains/statuses"
import { CopyButton } from "@/components/ui/copy-button"

/** What to enter for the record that the sentence names, with a button that copies it. */
export function SentenceCopy({ domain, named }: { domain: Domain; named: RecordKey }) {
  const record = recordGroups(domain)
    .flatMap((group) => group.records)
    .find(({ key }) => key === named)
  const copied = record && copiedValue(record, zoneOf(domain))
  if (!copied) return null
  const { what, text } = copied
  return (
    <p className="mt-2.5 flex min-w-0 flex-wrap items-center gap-2 sm:flex-nowrap">
      <span className="shrink-0 text-muted">
        {shownTitle(record)} {what}
      </span>
      <code title={text} className="min-w-0 truncate rounded-sm bg-sunken px-1.5 py-0.5">
        {text}
      </code>
      <CopyButton size="small" value={text}>{`Copy ${what}`}</CopyButton>
    </p>
  )
}

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
