"use client"

import { keepPreviousData, useQuery } from "@tanstack/react-query"
import { useState } from "react"
import { formatNumber } from "@/lib/platform/format"
import { ResourceList } from "@/components/data/resource-list"
import { CardHeader } from "@/components/ui/card"
import type { Column } from "@/components/ui/table"
import { importErrorsQuery, type ImportError } from "@/components/contacts/imports/queries"

/** The rows that were refused, by line, with every reason. */
export function ImportErrors({ projectId, importId, total }: { projectId: string; importId: string; total: number }) {
  const page = useState(1)
  const list = useQuery({
    ...importErrorsQuery(projectId, importId, page[0], total),
    placeholderData: keepPreviousData,
  })
  return (
    <ResourceList
      label="Rejected rows"
      noun="rows"
      list={list}
      page={page}
      columns={columns}
      keyOf={({ line }) => String(line)}
      header={
        <CardHeader
          title="Rejected rows"
          description={`${total === 1 ? "1 row. Fix it" : `${formatNumber(total)} rows. Fix them`} in the file and import it again; importing the other rows twice is harmless.`}
        />
      }
      empty={null}
    />
  )
}

const columns: Column<ImportError>[] = [
  { head: "Line", width: "w-20", numeric: true, muted: true, cell: ({ line }) => formatNumber(line) },
  {
    head: "Why, and the row",
    cell: ({ faults, row }) => (
      <>
        {faults.map(({ column, detail }) => (
          <span key={`${column}-${detail}`} className="block [overflow-wrap:anywhere]">
            {column ? <b className="font-medium">{column}: </b> : null}
            {detail}
          </span>
        ))}
        {row ? <code className="mt-1 block text-muted [overflow-wrap:anywhere]">{row}</code> : null}
      </>
    ),
  },
]
