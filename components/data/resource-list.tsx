"use client"

import type { ReactNode } from "react"
import { NotLoaded, type Read } from "@/components/data/load-error"
import { Button } from "@/components/ui/button"
import { Card } from "@/components/ui/card"
import { EmptyState } from "@/components/ui/empty-state"
import { Pagination } from "@/components/ui/pagination"
import { DataTable, type Column } from "@/components/ui/table"

export type Page<Row> = {
  data: Row[]
  page: { hasNextPage: boolean; hasPreviousPage: boolean; total: number; totalPages: number }
}

type ResourceListProps<Row> = {
  /** Names the card and its table: "API keys". */
  label: string
  list: Read<Page<Row>> & { isPlaceholderData: boolean }
  columns: Column<Row>[]
  /** The page of a row. */
  href?: (row: Row) => string
  keyOf: (row: Row) => string
  /** Below this width of the window each row is a block. */
  blocksBelow?: "md"
  /** Instead of the table if the list has no rows. */
  empty: ReactNode
  /** The page that is shown, from 1, and how to go to another. */
  page: readonly [page: number, setPage: (page: number) => void]
  /** Word for what is counted, if it is not the label. */
  noun?: string
  /** Takes all the width of the window there is; for the main list of a page. */
  wide?: boolean
  header?: ReactNode
}

/** What the API lists page by page, as a table in a card: loading, failed, empty or with its rows. */
export function ResourceList<Row>({
  label,
  list,
  empty,
  page: [page, setPage],
  noun = label.toLowerCase(),
  wide,
  header,
  ...table
}: ResourceListProps<Row>) {
  const data = list.data?.data ?? []
  return (
    <Card data-list={wide || undefined} aria-label={label} aria-busy={list.isPlaceholderData}>
      {header}
      {list.data ? (
        <>
          {data.length > 0 ? (
            <DataTable label={label} rows={data} {...table} />
          ) : list.data.page.total > 0 ? (
            <EmptyState title="Nothing on this page" action={<Button onClick={() => setPage(1)}>First page</Button>}>
              {label} were deleted, so this page is empty.
            </EmptyState>
          ) : (
            empty
          )}
          <Pagination
            page={page}
            hasNext={list.data.page.hasNextPage}
            hasPrevious={list.data.page.hasPreviousPage}
            total={list.data.page.total}
            totalPages={list.data.page.totalPages}
            noun={noun}
            pending={list.isPlaceholderData}
            onPage={setPage}
          />
        </>
      ) : (
        <NotLoaded read={list} label={noun} />
      )}
    </Card>
  )
}
