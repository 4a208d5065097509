"use client"

import { useQuery } from "@tanstack/react-query"
import { Plus, Webhook as WebhookIcon } from "lucide-react"
import { Absent } from "@/components/ui/text"
import { formatNumber } from "@/lib/platform/format"
import { May, useMay } from "@/components/access/powers"
import { postCurl } from "@/components/data/curl"
import { FirstAction } from "@/components/data/first-action"
import { NotLoaded } from "@/components/data/load-error"
import { ButtonLink } from "@/components/ui/button"
import { Card } from "@/components/ui/card"
import { EmptyState } from "@/components/ui/empty-state"
import { Pill } from "@/components/ui/pill"
import { RelativeTime, useOpenedAt } from "@/components/ui/relative-time"
import { DataTable, RowLink, type Column } from "@/components/ui/table"
import { webhooksQuery, type Webhook } from "@/components/webhooks/queries"
import { arrivedShare, webhookState } from "@/components/webhooks/states"

const refreshMs = 15_000

export function WebhooksList({ projectId, baseUrl }: { projectId: string; baseUrl: string }) {
  const now = useOpenedAt()
  const list = useQuery({ ...webhooksQuery(projectId), refetchInterval: refreshMs })
  const may = useMay("webhooks:write")
  const curl = postCurl(`${baseUrl}/v1/projects/${projectId}/webhooks`, {
    url: "https://example.com/hooks/mailroom",
    events: ["email.delivered", "email.bounced"],
  })
  return (
    <Card data-list aria-label="Webhooks">
      {!list.data ? (
        <NotLoaded read={list} label="webhooks" />
      ) : list.data.data.length > 0 ? (
        <DataTable
          label="Webhooks"
          columns={columnsOf(now)}
          rows={list.data.data}
          keyOf={({ id }) => id}
          href={({ id }) => `/projects/${projectId}/webhooks/${id}`}
        />
      ) : (
        <EmptyState
          icon={<WebhookIcon />}
          title="Let your application know what happens"
          action={
            <FirstAction permission="webhooks:write" href={`/projects/${projectId}/webhooks/new`}>
              Create webhook
            </FirstAction>
          }
          curl={may ? curl : undefined}
        >
          A webhook sends each event, such as a delivery or a bounce, to a URL of yours within a second. Requests are
          signed, and retried for three days while your server is unreachable.
        </EmptyState>
      )}
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

function columnsOf(now: number): Column<Webhook>[] {
  return [
    {
      head: "Webhook",
      cell: ({ name, url }, href) => (
        <>
          <RowLink href={href} className="block truncate">
            {name}
          </RowLink>
          <code title={url} className="mt-0.5 line-clamp-2 [overflow-wrap:anywhere] text-muted">
            {url}
          </code>
        </>
      ),
    },
    {
      head: "Events",
      from: "lg",
      width: "w-24",
      numeric: true,
      muted: true,
      title: ({ events }) => events.join(", "),
      cell: ({ events }) => events.length,
    },
    {
      head: "Delivered, 24 hours",
      from: "md",
      width: "w-44",
      numeric: true,
      title: ({ health }) => shareOf(health)?.sentence,
      cell: ({ health }) => <Share health={health} />,
    },
    {
      head: "Last success",
      from: "md",
      width: "w-40",
      muted: true,
      cell: ({ health }) => <LastTime at={health?.lastSuccessAt} />,
    },
    {
      head: "Last failure",
      from: "lg",
      width: "w-40",
      muted: true,
      cell: ({ health }) => <LastTime at={health?.lastFailureAt} />,
    },
    {
      head: "State",
      width: "w-32 sm:w-40",
      cell: (webhook) => {
        const { tone, word, tip } = webhookState(webhook, now)
        return (
          <Pill tone={tone} tip={tip} inTable>
            {word}
          </Pill>
        )
      },
    },
  ]
}

function Share({ health }: Pick<Webhook, "health">) {
  const share = shareOf(health)
  if (!share || !health) return <span className="text-muted">No events</span>
  return (
    <>
      {share.percent}
      {share.whole ? null : (
        <span className="mt-0.5 block text-muted">
          {formatNumber(health.succeeded)} of {formatNumber(health.attempted)}
        </span>
      )}
    </>
  )
}

function shareOf(health: Webhook["health"]) {
  return health && arrivedShare(health)
}

function LastTime({ at }: { at: string | undefined }) {
  return at ? <RelativeTime at={at} /> : <Absent word="Never" />
}
