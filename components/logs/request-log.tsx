"use client"

import { keepPreviousData, useQuery } from "@tanstack/react-query"
import { useQueryStates } from "nuqs"
import { keyList } from "@/components/api-keys/queries"
import { RequestTable } from "@/components/api-keys/request-table"
import { FilterInput } from "@/components/data/filter-input"
import { methods, requestFilters, statusGroups } from "@/components/logs/filters"
import { LogCard } from "@/components/logs/log-card"
import { requestsQuery } from "@/components/logs/queries"
import { Button } from "@/components/ui/button"
import { EmptyState } from "@/components/ui/empty-state"
import { Select } from "@/components/ui/select"

const methodOptions = [{ value: "", label: "Any method" }, ...methods.map((value) => ({ value, label: value }))]
const statusWords = { "2xx": "Succeeded", "4xx": "Refused (4xx)", "5xx": "Failed (5xx)" } as const
const groupOptions = statusGroups.map((value) => ({ value: value as string, label: statusWords[value] as string }))

/** Requests with any key of the project; filters and place in the log are in the URL. */
export function RequestLog({ projectId }: { projectId: string }) {
  const [filters, setFilters] = useQueryStates(requestFilters)
  const page = useQuery({ ...requestsQuery(projectId, filters), placeholderData: keepPreviousData })
  const keys = useQuery(keyList(projectId)).data?.data ?? []
  const { key, method, route, status, after } = filters
  const filtered = Boolean(key || method || route || status)
  const change = (part: Partial<typeof filters>, history: "push" | "replace" = "push") =>
    void setFilters({ ...part, after: "" }, { history })
  const keyOptions = keys.map(({ id, name, start }) => ({ value: id, label: name ?? start ?? id }))
  const single = status && !groupOptions.some(({ value }) => value === status) ? [{ value: status, label: status }] : []
  return (
    <>
      <div
        role="search"
        aria-label="Requests"
        className="mb-4 grid grid-cols-2 gap-2 max-sm:[&>:nth-child(4):last-child]:col-span-full sm:grid-cols-3 lg:flex"
      >
        <FilterInput
          label="Route or part of it"
          value={route}
          onChange={(text, step) => change({ route: text }, step)}
          className="col-span-full sm:w-full lg:w-auto lg:flex-1"
        />
        <Select
          aria-label="Method"
          className="lg:w-40"
          value={method ?? ""}
          options={methodOptions}
          onChange={({ target }) => change({ method: methods.find((name) => name === target.value) ?? null })}
        />
        <Select
          aria-label="Status"
          className="lg:w-40"
          value={status ?? ""}
          options={[{ value: "", label: "Any status" }, ...single, ...groupOptions]}
          onChange={({ target }) => change({ status: target.value || null })}
        />
        <Select
          aria-label="API key"
          className="lg:w-50"
          value={key}
          options={[{ value: "", label: "Any key" }, ...keyOptions]}
          onChange={({ target }) => change({ key: target.value })}
        />
        {filtered ? (
          <Button variant="ghost" onClick={() => void setFilters(null, { history: "push" })}>
            Clear
          </Button>
        ) : null}
      </div>
      <LogCard
        label="Requests"
        loading="Loading requests"
        page={page}
        after={after}
        onAfter={(next) => void setFilters({ after: next }, { history: "push" })}
      >
        {({ data, cursor }) =>
          data.length ? (
            <RequestTable projectId={projectId} requests={data} />
          ) : (
            <Nothing filtered={filtered} more={cursor.hasNextPage} />
          )
        }
      </LogCard>
    </>
  )
}

function Nothing({ filtered, more }: { filtered: boolean; more: boolean }) {
  if (more)
    return (
      <EmptyState title="No match among the latest requests">
        None of the latest requests matches. Select Older to continue.
      </EmptyState>
    )
  return filtered ? (
    <EmptyState title="No request matches">Change or clear the filters.</EmptyState>
  ) : (
    <EmptyState title="No requests yet">
      Requests with an API key appear here about a second later. No bodies and no query strings are kept.
    </EmptyState>
  )
}
