import { nameDifference } from "@/components/domains/difference"
import { recordGroups, relativeHost, zoneOf, type ShownRecord } from "@/components/domains/records"
import { sharedCause } from "@/components/domains/sentence"
import { isDifferent, shownTitle } from "@/components/domains/statuses"
import type { Domain } from "@/components/domains/queries"
import { CopyText } from "@/components/ui/copy-text"
import { Mark } from "@/components/ui/diff"
import { DataTable, type Column } from "@/components/ui/table"

/** Where the records were found whose hosts share a mistake, and what to enter for each instead. */
export function EvidenceTable({ domain }: { domain: Domain }) {
  const code = sharedCause(domain)?.code
  const records = recordGroups(domain)
    .flatMap((group) => group.records)
    .filter((record) => isDifferent(record) && record.likelyCause?.code === code)
  return (
    <div className="border-t border-line bg-sunken">
      <DataTable
        label="Where the records were found"
        columns={columnsOf(zoneOf(domain))}
        rows={records}
        keyOf={({ key }) => key}
      />
    </div>
  )
}

function columnsOf(zone: string): Column<ShownRecord>[] {
  return [
    { head: "Record", width: "w-40 lg:w-54", cell: shownTitle },
    { head: "Found at", cell: (record) => <FoundAt record={record} /> },
    {
      head: "Enter as host",
      from: "md",
      width: "lg:w-72",
      cellClassName: "group/copy relative",
      cell: (record) => (
        <CopyText
          wholeCell
          inline
          value={relativeHost(record.name, zone)}
          name={`host to enter for ${shownTitle(record)}`}
        />
      ),
    },
  ]
}

function FoundAt({ record }: { record: ShownRecord }) {
  const { before, marked, after } = nameDifference(record.name, record.likelyCause?.foundAt ?? "")
  return (
    <code className="[overflow-wrap:anywhere]">
      {before}
      {marked ? <Mark>{marked}</Mark> : null}
      {after}
    </code>
  )
}
