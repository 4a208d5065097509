"use client"

import { useQuery } from "@tanstack/react-query"
import { KeyRound } from "lucide-react"
import { useState } from "react"
import { formatNumber } from "@/lib/platform/format"
import { problemOf } from "@/components/data/problem"
import { useAddressParam } from "@/components/layout/use-address-param"
import { Card, CardHeader } from "@/components/ui/card"
import { EmptyState } from "@/components/ui/empty-state"
import { ErrorState } from "@/components/ui/error-state"
import { Pill } from "@/components/ui/pill"
import { RelativeTime } from "@/components/ui/relative-time"
import { Segmented } from "@/components/ui/segmented"
import { SkeletonRows } from "@/components/ui/skeleton"
import { Table, Td, Th } from "@/components/ui/table"
import { RowLink, TableRow } from "@/components/ui/table-row"
import { keyState, permissionWords, type KeyWire } from "@/components/api-keys/key-words"
import { keyList } from "@/components/api-keys/queries"

/** The keys of a project. */
export function ApiKeyTable({ projectId }: { projectId: string }) {
  const [wanted, setWanted] = useAddressParam("show")
  const show = wanted === "ended" ? "ended" : "active"
  const { data, error, isPending, refetch, isRefetching } = useQuery(keyList(projectId))

  if (error && !data) {
    const { detail, title, requestId } = problemOf(error)
    return (
      <Card data-list>
        <ErrorState
          message={detail ?? title}
          requestId={requestId}
          onRetry={() => void refetch()}
          retrying={isRefetching}
        />
      </Card>
    )
  }
  if (isPending)
    return (
      <Card data-list>
        <SkeletonRows />
      </Card>
    )
  if (!data.data.length) {
    return (
      <Card data-list>
        <EmptyState icon={<KeyRound />} title="No keys yet">
          A key lets a program send emails and read their status. It is shown only once, when it is created.
        </EmptyState>
      </Card>
    )
  }
  const active = data.data.filter(({ enabled }) => enabled)
  const ended = data.data.filter(({ enabled }) => !enabled)
  return (
    <Card data-list>
      <CardHeader
        title={show === "active" ? `${active.length} active` : `${ended.length} revoked or expired`}
        actions={
          <Segmented
            label="Which keys"
            value={show}
            onChange={(value) => setWanted(value === "active" ? null : value)}
            options={[
              { value: "active", label: "Active" },
              { value: "ended", label: "Ended" },
            ]}
          />
        }
      />
      <Rows projectId={projectId} keys={show === "active" ? active : ended} />
    </Card>
  )
}

/** On a phone the key is below its name; the rest is on its page. */
function Rows({ projectId, keys }: { projectId: string; keys: KeyWire[] }) {
  if (!keys.length) return <p className="px-4 py-10 text-center text-muted">None here.</p>
  return (
    <Table label="API keys" minWidth="min-w-0">
      <thead>
        <tr>
          <Th>Name</Th>
          <Th className="hidden w-40 sm:table-cell">Key</Th>
          <Th className="hidden lg:table-cell">May do</Th>
          <Th className="hidden w-36 sm:table-cell">Last used</Th>
          <Th className="hidden w-28 lg:table-cell" numeric>
            Requests
          </Th>
          <Th className="w-40">State</Th>
        </tr>
      </thead>
      <tbody>
        {keys.map((key) => (
          <Row key={key.id} projectId={projectId} apiKey={key} />
        ))}
      </tbody>
    </Table>
  )
}

function Row({ projectId, apiKey }: { projectId: string; apiKey: KeyWire }) {
  const [now] = useState(() => Date.now())
  const href = `/projects/${projectId}/api-keys/${apiKey.id}`
  const { tone, word, tip } = keyState(apiKey, now)
  const may = permissionWords(apiKey.permissions)
  return (
    <TableRow href={href}>
      <Td truncate>
        <RowLink href={href}>{apiKey.name ?? "Unnamed"}</RowLink>
        <span className="mt-0.5 block truncate text-muted sm:hidden">
          <code>{apiKey.start}…</code>
        </span>
      </Td>
      <Td truncate className="hidden sm:table-cell">
        <code>{apiKey.start}…</code>
      </Td>
      <Td truncate muted title={may} className="hidden lg:table-cell">
        {may}
      </Td>
      <Td muted className="hidden sm:table-cell">
        {apiKey.lastRequest ? <RelativeTime at={apiKey.lastRequest} /> : "Never"}
      </Td>
      <Td numeric className="hidden tabular-nums lg:table-cell">
        {formatNumber(apiKey.requestCount)}
      </Td>
      <Td>
        <Pill tone={tone} tip={tip} inTable>
          {word}
        </Pill>
      </Td>
    </TableRow>
  )
}
