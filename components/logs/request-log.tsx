"use client"

import { keepPreviousData, useQuery } from "@tanstack/react-query"
import Link from "next/link"
import { useQueryStates } from "nuqs"
import { keyList } from "@/components/api-keys/queries"
import { toneOf } from "@/components/api-keys/key-requests"
import { FilterInput } from "@/components/emails/filter-input"
import { LoadError } from "@/components/emails/load-error"
import { CursorFooter } from "@/components/logs/cursor-footer"
import { methods, requestFilters, statusGroups } from "@/components/logs/filters"
import { requestsQuery, type RequestPage } from "@/components/logs/queries"
import { Button } from "@/components/ui/button"
import { Card } from "@/components/ui/card"
import { EmptyState } from "@/components/ui/empty-state"
import { Pill } from "@/components/ui/pill"
import { RelativeTime } from "@/components/ui/relative-time"
import { Select } from "@/components/ui/select"
import { SkeletonRows } from "@/components/ui/skeleton"
import { Table, Td, Th } from "@/components/ui/table"

const methodOptions = [{ value: "", label: "Any method" }, ...methods.map((value) => ({ value, label: value }))]
const statusWords = { "2xx": "Succeeded", "4xx": "Refused (4xx)", "5xx": "Failed (5xx)" } as const
const groupOptions = statusGroups.map((value) => ({ value: value as string, label: statusWords[value] as string }))

/** Requests with any key of the project; filters and place in the log are in the URL. */
export function RequestLog({ projectId }: { projectId: string }) {
  const [filters, setFilters] = useQueryStates(requestFilters)
  const { data, error, refetch, isRefetching, isPlaceholderData } = useQuery({
    ...requestsQuery(projectId, filters),
    placeholderData: keepPreviousData,
  })
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
        className="mb-4 grid grid-cols-2 gap-2 lg:grid-cols-[1fr_160px_160px_200px_auto]"
      >
        <FilterInput
          label="Route, or a part of it"
          value={route}
          onChange={(text, step) => change({ route: text }, step)}
          className="col-span-2 sm:w-full lg:col-span-1"
        />
        <Select
          aria-label="Method"
          value={method ?? ""}
          options={methodOptions}
          onChange={({ target }) => change({ method: methods.find((name) => name === target.value) ?? null })}
        />
        <Select
          aria-label="Status"
          value={status ?? ""}
          options={[{ value: "", label: "Any status" }, ...single, ...groupOptions]}
          onChange={({ target }) => change({ status: target.value || null })}
        />
        <Select
          aria-label="API key"
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
      <Card aria-label="Requests">
        {error && !data ? (
          <LoadError error={error} onRetry={() => void refetch()} retrying={isRefetching} />
        ) : !data ? (
          <SkeletonRows rows={8} label="Loading requests" />
        ) : data.data.length ? (
          <Requests projectId={projectId} requests={data.data} busy={isPlaceholderData} />
        ) : (
          <Nothing filtered={filtered} more={data.cursor.hasNextPage} />
        )}
        {data ? (
          <CursorFooter
            after={after}
            next={data.cursor.nextCursor}
            onAfter={(next) => void setFilters({ after: next }, { history: "push" })}
          />
        ) : null}
      </Card>
    </>
  )
}

function Nothing({ filtered, more }: { filtered: boolean; more: boolean }) {
  if (more)
    return (
      <EmptyState title="None among the latest requests">
        Many requests were read and none matches. Select Older to go on behind them.
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

type Request = RequestPage["data"][number]

function Requests({ projectId, requests, busy }: { projectId: string; requests: Request[]; busy: boolean }) {
  return (
    <Table label="Requests" minWidth="min-w-0" aria-busy={busy}>
      <thead>
        <tr>
          <Th className="hidden w-36 sm:table-cell">Time</Th>
          <Th>Request</Th>
          <Th className="w-24">Status</Th>
          <Th className="hidden w-24 md:table-cell" numeric>
            Took
          </Th>
          <Th className="hidden w-44 md:table-cell">Key</Th>
          <Th className="hidden w-36 lg:table-cell">From</Th>
        </tr>
      </thead>
      <tbody>
        {requests.map(({ id, ts, method, route, statusCode, durationMs, keyId, keyName, ip }) => (
          <tr key={id}>
            <Td muted className="hidden sm:table-cell">
              <RelativeTime at={ts} />
            </Td>
            <Td title={route}>
              <code className="block [overflow-wrap:anywhere] sm:truncate">
                <span className="text-muted">{method}</span> {route}
              </code>
              <RelativeTime at={ts} className="mt-0.5 block text-xs text-muted sm:hidden" />
            </Td>
            <Td>
              <Pill tone={toneOf(statusCode)}>{statusCode}</Pill>
            </Td>
            <Td numeric muted className="hidden tabular-nums md:table-cell">
              {durationMs === undefined ? "" : `${durationMs.toLocaleString("en")} ms`}
            </Td>
            <Td truncate className="hidden md:table-cell">
              <Link href={`/projects/${projectId}/api-keys/${keyId}`} className="hover:underline">
                {keyName ?? "Unnamed key"}
              </Link>
            </Td>
            <Td muted truncate className="hidden lg:table-cell">
              {ip}
            </Td>
          </tr>
        ))}
      </tbody>
    </Table>
  )
}
