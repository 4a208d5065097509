import { BreakAfter } from "@/components/ui/break-after"
import { RelativeTime } from "@/components/ui/relative-time"
import { Table, Td, Th } from "@/components/ui/table"
import { RowLink, TableRow } from "@/components/ui/table-row"
import { regionLabel } from "@/lib/projects/regions"
import { bimiWords } from "@/components/domains/bimi-words"
import { componentWords, domainWords } from "@/components/domains/statuses"
import { StatusPill } from "@/components/domains/status-pill"
import type { DomainItem } from "@/components/domains/types"

/** On a phone each domain is a block of its name and state; the details are on its own page. */
export function DomainTable({ projectId, items }: { projectId: string; items: DomainItem[] }) {
  return (
    // A table that is shown as blocks loses its meaning for screen readers unless it is said again by roles.
    <Table label="Domains" role="table" minWidth="min-w-0" className="max-md:block">
      <thead role="rowgroup" className="max-md:sr-only">
        <tr role="row">
          <Th role="columnheader">Domain</Th>
          <Th role="columnheader" className="hidden w-32 min-[1680px]:table-cell">
            Region
          </Th>
          <Th role="columnheader" className="w-40 px-2 xl:w-54">
            Status
          </Th>
          {["DKIM", "MAIL FROM", "DMARC"].map((state) => (
            <Th key={state} role="columnheader" className={stateHead}>
              {state}
            </Th>
          ))}
          <Th role="columnheader" className={`${stateHead} ${wideCell}`}>
            BIMI
          </Th>
          <Th role="columnheader" className="w-32 px-2 max-xl:hidden">
            Tracking
          </Th>
          <Th role="columnheader" className="w-32 max-xl:hidden">
            Updated
          </Th>
        </tr>
      </thead>
      <tbody role="rowgroup" className="max-md:block">
        {items.map((item) => (
          <DomainRow key={item.id} item={item} href={`/projects/${projectId}/domains/${item.id}`} />
        ))}
      </tbody>
    </Table>
  )
}

function DomainRow({ item, href }: { item: DomainItem; href: string }) {
  return (
    <TableRow href={href} role="row" className={phoneRow}>
      <Td role="cell" className={`[overflow-wrap:anywhere] xl:truncate ${phoneCell}`}>
        <RowLink href={href}>
          <BreakAfter mark="." text={item.domain} />
        </RowLink>
      </Td>
      <Td role="cell" muted className="hidden min-[1680px]:table-cell">
        <span title={item.region}>{regionLabel(item.region)}</span>
      </Td>
      <Td role="cell" className={`px-2 max-xl:[&_.truncate]:whitespace-normal ${phoneCell}`}>
        <StatusPill words={domainWords(item)} inTable />
      </Td>
      {(["dkim", "mailFrom", "dmarc"] as const).map((component) => (
        <Td key={component} role="cell" className="px-2 max-md:hidden">
          <StatusPill words={componentWords(component, item)} inTable />
        </Td>
      ))}
      <Td role="cell" className={`px-2 ${wideCell}`}>
        <StatusPill words={bimiWords(item.bimiStatus)} inTable />
      </Td>
      <Td role="cell" className="px-2 max-xl:hidden">
        <StatusPill words={componentWords("tracking", item)} inTable />
      </Td>
      <Td role="cell" muted truncate className="max-xl:hidden">
        <RelativeTime at={item.updatedAt} />
      </Td>
    </TableRow>
  )
}

/** Wide enough for the longest word. */
const stateHead = "w-27 px-2"

const wideCell = "hidden min-[1680px]:table-cell"

const phoneRow =
  "max-md:grid max-md:gap-y-0.5 max-md:border-b max-md:border-line " + "max-md:px-4 max-md:py-3 max-md:last:border-b-0"

const phoneCell = "max-md:min-w-0 max-md:border-0 max-md:p-0"
