import { nameDifference } from "@/components/domains/difference"
import { relativeHost, zoneOf, recordGroups } from "@/components/domains/records"
import { sharedCause } from "@/components/domains/sentence"
import { isDifferent, shownTitle } from "@/components/domains/statuses"
import type { Domain } from "@/components/domains/types"
import { CopyText } from "@/components/ui/copy-text"
import { Mark } from "@/components/ui/diff"
import { Table, Td, Th } from "@/components/ui/table"

/** Where the records were found whose hosts share a mistake, and what to enter for each instead. */
export function EvidenceTable({ domain }: { domain: Domain }) {
  const zone = zoneOf(domain)
  const code = sharedCause(domain)?.code
  const records = recordGroups(domain)
    .flatMap((group) => group.records)
    .filter((record) => isDifferent(record) && record.likelyCause?.code === code)
  return (
    <div className="border-t border-line bg-sunken">
      <Table label="Where the records were found" minWidth="min-w-0">
        <thead>
          <tr>
            <Th className="w-40 lg:w-54">Record</Th>
            <Th>Found at</Th>
            <Th className="hidden md:table-cell lg:w-72">Enter as host</Th>
          </tr>
        </thead>
        <tbody>
          {records.map((record) => {
            const { before, marked, after } = nameDifference(record.name, record.likelyCause?.foundAt ?? "")
            const host = relativeHost(record.name, zone)
            return (
              <tr key={record.key}>
                <Td>{shownTitle(record)}</Td>
                <Td>
                  <code className="[overflow-wrap:anywhere]">
                    {before}
                    {marked ? <Mark>{marked}</Mark> : null}
                    {after}
                  </code>
                </Td>
                <Td className="group/copy relative hidden md:table-cell">
                  <CopyText wholeCell inline value={host} name={`host to enter for ${shownTitle(record)}`} />
                </Td>
              </tr>
            )
          })}
        </tbody>
      </Table>
    </div>
  )
}
