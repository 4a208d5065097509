"use client"

import { keepPreviousData, useQuery } from "@tanstack/react-query"
import { parseAsInteger, useQueryState } from "nuqs"
import { formatNumber } from "@/lib/platform/format"
import { LoadError } from "@/components/data/load-error"
import { Card } from "@/components/ui/card"
import { EmptyState } from "@/components/ui/empty-state"
import { Pagination } from "@/components/ui/pagination"
import { Pill } from "@/components/ui/pill"
import { RelativeTime } from "@/components/ui/relative-time"
import { SkeletonRows } from "@/components/ui/skeleton"
import { Table, Td, Th } from "@/components/ui/table"
import { RowLink, TableRow } from "@/components/ui/table-row"
import { importsQuery, isOpen, type ContactImport } from "@/components/contacts/imports/queries"
import { importWords } from "@/components/contacts/imports/words"

/** Every import of the project, newest first; running ones update. */
export function ImportList({ projectId }: { projectId: string }) {
  const [page, setPage] = useQueryState("page", parseAsInteger.withDefault(1))
  const imports = useQuery({ ...importsQuery(projectId, page), placeholderData: keepPreviousData })
  if (!imports.data && imports.error)
    return (
      <Card data-list>
        <LoadError error={imports.error} onRetry={() => void imports.refetch()} retrying={imports.isFetching} />
      </Card>
    )
  if (!imports.data)
    return (
      <Card data-list>
        <SkeletonRows rows={5} label="Loading imports" />
      </Card>
    )
  const { data, page: info } = imports.data
  return (
    <Card data-list aria-label="Imports" aria-busy={imports.isPlaceholderData}>
      {data.length ? (
        <Table label="Imports" minWidth="min-w-0">
          <thead>
            <tr>
              <Th>File</Th>
              <Th className="w-32 px-2">State</Th>
              <Th numeric className="w-24 max-sm:hidden">
                Rows
              </Th>
              <Th numeric className="w-24 max-sm:hidden">
                Rejected
              </Th>
              <Th className="w-36 max-md:hidden">Started</Th>
            </tr>
          </thead>
          <tbody>
            {data.map((one) => (
              <Row key={one.id} projectId={projectId} one={one} />
            ))}
          </tbody>
        </Table>
      ) : (
        <EmptyState title="No imports yet">
          An import reads a CSV file in the background, even with a million rows. Try it without writing first to see
          every invalid row.
        </EmptyState>
      )}
      <Pagination
        page={info.page}
        hasNext={info.hasNextPage}
        hasPrevious={info.hasPreviousPage}
        total={info.total}
        totalPages={info.totalPages}
        noun="imports"
        pending={imports.isPlaceholderData}
        onPage={(next) => void setPage(next, { history: "push" })}
      />
    </Card>
  )
}

function Row({ projectId, one }: { projectId: string; one: ContactImport }) {
  const { word, tone, tip } = importWords(one)
  const href = `/projects/${projectId}/contacts/imports/${one.id}`
  return (
    <TableRow href={href}>
      <Td truncate>
        <RowLink href={href}>{one.fileName ?? one.id}</RowLink>
      </Td>
      <Td className="px-2">
        <Pill tone={tone} tip={tip} inTable>
          {isOpen(one) && one.bytes ? `${word} ${Math.floor((100 * one.bytesRead) / one.bytes)}%` : word}
        </Pill>
      </Td>
      <Td numeric muted className="tabular-nums max-sm:hidden">
        {formatNumber(one.processed)}
      </Td>
      <Td numeric muted className="tabular-nums max-sm:hidden">
        {formatNumber(one.failed)}
      </Td>
      <Td muted truncate className="max-md:hidden">
        <RelativeTime at={one.createdAt} />
      </Td>
    </TableRow>
  )
}
