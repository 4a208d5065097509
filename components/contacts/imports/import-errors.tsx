"use client"

import { keepPreviousData, useQuery } from "@tanstack/react-query"
import { useState } from "react"
import { formatNumber } from "@/lib/platform/format"
import { LoadError } from "@/components/data/load-error"
import { Card, CardHeader } from "@/components/ui/card"
import { Pagination } from "@/components/ui/pagination"
import { SkeletonRows } from "@/components/ui/skeleton"
import { Table, Td, Th } from "@/components/ui/table"
import { importErrorsQuery } from "@/components/contacts/imports/queries"

/** The rows that were refused, by line, with every reason. */
export function ImportErrors({ projectId, importId, total }: { projectId: string; importId: string; total: number }) {
  const [page, setPage] = useState(1)
  const errors = useQuery({ ...importErrorsQuery(projectId, importId, page, total), placeholderData: keepPreviousData })
  return (
    <Card aria-label="Rejected rows">
      <CardHeader
        title="Rejected rows"
        description={`${total === 1 ? "1 row. Fix it" : `${formatNumber(total)} rows. Fix them`} in the file and import it again; importing the other rows twice is harmless.`}
      />
      {errors.error && !errors.data ? (
        <LoadError error={errors.error} onRetry={() => void errors.refetch()} retrying={errors.isFetching} />
      ) : null}
      {errors.isPending ? <SkeletonRows rows={5} label="Loading rejected rows" /> : null}
      {errors.data ? (
        <>
          <Table label="Rejected rows" minWidth="min-w-0">
            <thead>
              <tr>
                <Th numeric className="w-20">
                  Line
                </Th>
                <Th>Why, and the row</Th>
              </tr>
            </thead>
            <tbody>
              {errors.data.data.map(({ line, faults, row }) => (
                <tr key={line}>
                  <Td numeric muted className="tabular-nums">
                    {formatNumber(line)}
                  </Td>
                  <Td>
                    {faults.map(({ column, detail }) => (
                      <span key={`${column}-${detail}`} className="block [overflow-wrap:anywhere]">
                        {column ? <b className="font-medium">{column}: </b> : null}
                        {detail}
                      </span>
                    ))}
                    {row ? <code className="mt-1 block text-muted [overflow-wrap:anywhere]">{row}</code> : null}
                  </Td>
                </tr>
              ))}
            </tbody>
          </Table>
          <Pagination
            page={page}
            hasNext={errors.data.page.hasNextPage}
            hasPrevious={errors.data.page.hasPreviousPage}
            total={errors.data.page.total}
            totalPages={errors.data.page.totalPages}
            noun="rows"
            pending={errors.isPlaceholderData}
            onPage={setPage}
          />
        </>
      ) : null}
    </Card>
  )
}
