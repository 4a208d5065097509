"use client"

import { useQuery } from "@tanstack/react-query"
import { Plus, Webhook as WebhookIcon } from "lucide-react"
import { useState } from "react"
import { formatNumber } from "@/lib/platform/format"
import { May } from "@/components/access/powers"
import { LoadError } from "@/components/data/load-error"
import { ButtonLink } from "@/components/ui/button"
import { Card } from "@/components/ui/card"
import { EmptyState } from "@/components/ui/empty-state"
import { Pill } from "@/components/ui/pill"
import { RelativeTime } from "@/components/ui/relative-time"
import { SkeletonRows } from "@/components/ui/skeleton"
import { Table, Td, Th } from "@/components/ui/table"
import { RowLink, TableRow } from "@/components/ui/table-row"
import { webhooksQuery, type Webhook } from "@/components/webhooks/queries"
import { arrivedShare, webhookState } from "@/components/webhooks/states"

const refreshMs = 15_000

export function WebhooksList({ projectId, curl }: { projectId: string; curl: string }) {
  const { data, error, refetch, isFetching } = useQuery({ ...webhooksQuery(projectId), refetchInterval: refreshMs })
  if (!data)
    return (
      <Card data-list aria-label="Webhooks">
        {error ? (
          <LoadError error={error} onRetry={() => void refetch()} retrying={isFetching} />
        ) : (
          <SkeletonRows label="Loading webhooks" />
        )}
      </Card>
    )
  if (!data.data.length)
    return (
      <Card data-list aria-label="Webhooks">
        <EmptyState icon={<WebhookIcon />} title="Let your application know what happens" curl={curl}>
          A webhook sends each event, such as a delivery or a bounce, to a URL of yours within a second. Requests are
          signed, and retried for three days while your server is unreachable.
        </EmptyState>
      </Card>
    )
  return (
    <Card data-list aria-label="Webhooks">
      <Table label="Webhooks" minWidth="min-w-0">
        <thead>
          <tr>
            <Th>Webhook</Th>
            <Th className="hidden w-24 lg:table-cell" numeric>
              Events
            </Th>
            <Th className="hidden w-44 md:table-cell" numeric>
              Delivered, 24 hours
            </Th>
            <Th className="hidden w-40 md:table-cell">Last success</Th>
            <Th className="hidden w-40 lg:table-cell">Last failure</Th>
            <Th className="w-36 sm:w-40">State</Th>
          </tr>
        </thead>
        <tbody>
          {data.data.map((webhook) => (
            <Row key={webhook.id} projectId={projectId} webhook={webhook} />
          ))}
        </tbody>
      </Table>
    </Card>
  )
}

export function CreateWebhook({ projectId }: { projectId: string }) {
  return (
    <May permission="webhooks:write">
      <ButtonLink variant="primary" icon={<Plus />} href={`/projects/${projectId}/webhooks/new`}>
        Create webhook
      </ButtonLink>
    </May>
  )
}

function Row({ projectId, webhook }: { projectId: string; webhook: Webhook }) {
  const [now] = useState(() => Date.now())
  const { id, name, url, events, health } = webhook
  const href = `/projects/${projectId}/webhooks/${id}`
  const { tone, word, tip } = webhookState(webhook, now)
  const share = health && arrivedShare(health)
  return (
    <TableRow href={href}>
      <Td>
        <RowLink href={href} className="block truncate">
          {name}
        </RowLink>
        <code className="mt-0.5 block [overflow-wrap:anywhere] text-muted">{url}</code>
      </Td>
      <Td numeric muted className="hidden tabular-nums lg:table-cell" title={events.join(", ")}>
        {events.length}
      </Td>
      <Td numeric className="hidden tabular-nums md:table-cell" title={share?.sentence}>
        {share ? share.percent : <span className="text-muted">No events</span>}
        {share && !share.whole && health ? (
          <span className="mt-0.5 block text-muted">{arrivedWords(health)}</span>
        ) : null}
      </Td>
      <Td muted className="hidden md:table-cell">
        {health?.lastSuccessAt ? <RelativeTime at={health.lastSuccessAt} /> : "Never"}
      </Td>
      <Td muted className="hidden lg:table-cell">
        {health?.lastFailureAt ? <RelativeTime at={health.lastFailureAt} /> : "Never"}
      </Td>
      <Td>
        <Pill tone={tone} tip={tip} inTable>
          {word}
        </Pill>
      </Td>
    </TableRow>
  )
}

function arrivedWords({ attempted, succeeded }: NonNullable<Webhook["health"]>): string {
  return `${formatNumber(succeeded)} of ${formatNumber(attempted)}`
}
