"use client"

import { keepPreviousData, useQuery, type UseQueryResult } from "@tanstack/react-query"
import { useQueryStates } from "nuqs"
import { addressOf } from "@/components/data/route"
import { FilterInput } from "@/components/data/filter-input"
import { LoadError } from "@/components/data/load-error"
import { Button } from "@/components/ui/button"
import { Card, CardFooter } from "@/components/ui/card"
import { EmptyState } from "@/components/ui/empty-state"
import { Pagination } from "@/components/ui/pagination"
import { Select } from "@/components/ui/select"
import { SkeletonRows } from "@/components/ui/skeleton"
import { suppressionReasons } from "@/lib/consent/rules"
import { suppressionFilters } from "@/components/suppressions/filters"
import { suppressionsQuery, type SuppressionPage } from "@/components/suppressions/queries"
import { reasons } from "@/components/suppressions/reasons"
import { SuppressionsTable } from "@/components/suppressions/suppressions-table"

const options = [
  { value: "", label: "Any reason" },
  ...suppressionReasons.map((value) => ({ value, label: reasons[value].word })),
]

/** The suppressed addresses of a project; filters and page are in the URL. */
export function SuppressionsList({ projectId, curl }: { projectId: string; curl: string }) {
  const [filters, setFilters] = useQueryStates(suppressionFilters)
  const filtered = Boolean(filters.reason || filters.search)
  const clear = () => void setFilters(null, { history: "push" })
  const list = useQuery({ ...suppressionsQuery(projectId, filters), placeholderData: keepPreviousData })

  return (
    <>
      <div role="search" aria-label="Suppressions" className="mb-4 flex flex-wrap gap-2 sm:flex-nowrap">
        <FilterInput
          label="Address or part of it"
          value={filters.search}
          onChange={(search, history) => void setFilters({ search, page: 1 }, { history })}
          className="sm:w-auto sm:flex-1"
        />
        <Select
          aria-label="Reason"
          className="w-40 shrink-0"
          value={filters.reason ?? ""}
          options={options}
          onChange={({ target }) =>
            void setFilters(
              { reason: suppressionReasons.find((reason) => reason === target.value) ?? null, page: 1 },
              { history: "push" },
            )
          }
        />
        {filtered ? (
          <Button variant="ghost" onClick={clear}>
            Clear
          </Button>
        ) : null}
      </div>
      <Card data-list aria-label="Suppressions" aria-busy={list.isPlaceholderData}>
        <Listed list={list} projectId={projectId} filtered={filtered} onClear={clear} curl={curl} />
        {list.data ? (
          <Pagination
            page={list.data.page.page}
            hasNext={list.data.page.hasNextPage}
            hasPrevious={list.data.page.hasPreviousPage}
            total={list.data.page.total}
            totalPages={list.data.page.totalPages}
            noun="addresses"
            pending={list.isPlaceholderData}
            onPage={(page) => void setFilters({ page }, { history: "push" })}
          />
        ) : null}
        {list.data?.data.length ? (
          <CardFooter className="text-muted">
            <a href={exportAddress(projectId)} download className="text-accent underline underline-offset-2">
              Export the whole list as CSV
            </a>
          </CardFooter>
        ) : null}
      </Card>
    </>
  )
}

function exportAddress(projectId: string): string {
  return addressOf("GET /v1/projects/{projectId}/suppressions/export", { params: { projectId } }).address
}

type ListedProps = {
  list: UseQueryResult<SuppressionPage>
  projectId: string
  filtered: boolean
  onClear: () => void
  curl: string
}

function Listed({ list, projectId, filtered, onClear, curl }: ListedProps) {
  if (list.isPending) return <SkeletonRows rows={8} label="Loading suppressions" />
  if (list.isError && !list.data)
    return <LoadError error={list.error} onRetry={() => void list.refetch()} retrying={list.isFetching} />
  if (list.data.data.length > 0) return <SuppressionsTable projectId={projectId} suppressions={list.data.data} />
  if (filtered) {
    return (
      <EmptyState title="No address matches" action={<Button onClick={onClear}>Clear filters</Button>}>
        No suppression matches this reason and part of an address.
      </EmptyState>
    )
  }
  return (
    <EmptyState title="No suppressed addresses" curl={curl}>
      Addresses that bounce, complain or unsubscribe are added automatically. Add others manually, or import your
      previous provider&apos;s list.
    </EmptyState>
  )
}
