"use client"

import { keepPreviousData, useQuery } from "@tanstack/react-query"
import { useQueryStates } from "nuqs"
import { keyList } from "@/components/api-keys/queries"
import { RequestTable } from "@/components/api-keys/request-table"
import { DayInput, FilterInput } from "@/components/data/filter-input"
import { methods, requestFilters, searchOf, statusGroups, requestsQuery } from "@/components/logs/queries"
import { LogCard } from "@/components/logs/log-card"
import { Button } from "@/components/ui/button"
import { EmptyState } from "@/components/ui/empty-state"
import { useTimeZone } from "@/components/ui/local-time"
import { Select } from "@/components/ui/select"
import { useGo } from "@/components/ui/leaving"

const methodOptions = [{ value: "", label: "Any method" }, ...methods.map((value) => ({ value, label: value }))]
const statusWords = { "2xx": "Succeeded", "4xx": "Refused (4xx)", "5xx": "Failed (5xx)" } as const
const groupOptions = statusGroups.map((value) => ({ value: value as string, label: statusWords[value] as string }))

/** Requests with any key of the project; filters and place in the log are in the URL. */
export function RequestLog({ projectId }: { projectId: string }) {
  const [filters, setFilters] = useQueryStates(requestFilters)
  const page = useQuery({ ...requestsQuery(projectId, filters, useTimeZone()), placeholderData: keepPreviousData })
  const keys = useQuery(keyList(projectId)).data?.data ?? []
  const { key, method, route, status, made, since, until, after } = filters
  const filtered = Boolean(key || method || route || status || made || since || until)
  const go = useGo()
  const change = (part: Partial<typeof filters>, history: "push" | "replace" = "push") =>
    void setFilters({ ...part, after: "" }, { history })
  const keyOptions = keys.map(({ id, name, start }) => ({ value: id, label: name ?? start ?? id }))
  const single = status && !groupOptions.some(({ value }) => value === status) ? [{ value: status, label: status }] : []
  return (
    <>
      <div
        role="search"
        aria-label="Requests"
        className="mb-4 grid grid-cols-2 gap-2 sm:grid-cols-3 xl:flex xl:flex-wrap"
      >
        <FilterInput
          label="Route, request ID or email ID"
          value={made || route}
          onChange={(text, step) => {
            const search = searchOf(text)
            if ("request" in search) go(`/projects/${projectId}/logs/${search.request}`)
            else change(search, step)
          }}
          className="col-span-full sm:w-full"
        />
        <Select
          aria-label="Method"
          className="xl:w-32"
          value={method ?? ""}
          options={methodOptions}
          onChange={({ target }) => change({ method: methods.find((name) => name === target.value) ?? null })}
        />
        <Select
          aria-label="Status"
          className="xl:w-36"
          value={status ?? ""}
          options={[{ value: "", label: "Any status" }, ...single, ...groupOptions]}
          onChange={({ target }) => change({ status: target.value || null })}
        />
        <Select
          aria-label="API key"
          className="max-sm:col-span-full xl:w-40"
          value={key}
          options={[{ value: "", label: "Any key" }, ...keyOptions]}
          onChange={({ target }) => change({ key: target.value })}
        />
        <DayInput label="From" value={since} most={until} onChange={(day) => change({ since: day })} />
        <DayInput label="Until" value={until} least={since} onChange={(day) => change({ until: day })} />
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
            <RequestTable projectId={projectId} requests={data} ofSeveralKeys />
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
