import { copiedValue } from "@/components/domains/copied-value"
import { recordGroups, zoneOf, type RecordKey } from "@/components/domains/records"
import { shownTitle } from "@/components/domains/statuses"
import type { Domain } from "@/components/domains/types"
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
