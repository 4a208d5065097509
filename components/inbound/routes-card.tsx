"use client"

import { useQuery } from "@tanstack/react-query"
import { useMay } from "@/components/access/powers"
import { LoadError } from "@/components/data/load-error"
import { useOneAtATime } from "@/components/data/use-call"
import { problemOf } from "@/components/data/call"
import { type InboundRoute, inboundRoutesQuery, useCreateRoute } from "@/components/inbound/queries"
import { mxState, trialCommand } from "@/components/inbound/words"
import { Absent } from "@/components/ui/text"
import { Button } from "@/components/ui/button"
import { Card, CardHeader } from "@/components/ui/card"
import { EmptyState } from "@/components/ui/empty-state"
import { Pill } from "@/components/ui/pill"
import { RelativeTime } from "@/components/ui/relative-time"
import { SkeletonRows } from "@/components/ui/loading"
import { type Column, DataTable, RowLink } from "@/components/ui/table"
import { toast } from "@/components/ui/toast"
import { webhooksQuery, type Webhook } from "@/components/webhooks/queries"
import { webhookState } from "@/components/webhooks/states"
import { lazy } from "react"
import { AddDialog } from "@/components/data/add-dialog"

export type Listener = { host: string; port: number }

/** The addresses whose mail the project gets. */
export function RoutesCard({ projectId, listener }: { projectId: string; listener: Listener }) {
  const routes = useQuery(inboundRoutesQuery(projectId))
  const webhooks = useQuery(webhooksQuery(projectId))
  const mayWrite = useMay("inbound:write")
  const { data, error, refetch, isRefetching } = routes
  return (
    <Card aria-label="Routes">
      <CardHeader
        title="Routes"
        description="Mail to these addresses is kept, shown below, and sent to a webhook as email.received."
        actions={data && data.data.length > 0 && mayWrite ? <TestAddress projectId={projectId} /> : null}
      />
      {data ? (
        data.data.length > 0 ? (
          <DataTable
            label="Routes"
            rows={data.data}
            columns={columnsWith(webhooks.data?.data ?? [], webhooks.dataUpdatedAt)}
            keyOf={({ id }) => id}
            href={({ id }) => `/projects/${projectId}/inbound/routes/${id}`}
          />
        ) : (
          <EmptyState
            title="No routes yet"
            action={mayWrite ? <TestAddress projectId={projectId} primary /> : null}
            curl={trialCommand("test-…", listener)}
          >
            Create a test address to try it at once, or a route at one of your verified domains.
          </EmptyState>
        )
      ) : error ? (
        <LoadError error={error} onRetry={() => void refetch()} retrying={isRefetching} />
      ) : (
        <SkeletonRows rows={3} label="Loading routes" />
      )}
    </Card>
  )
}

/** An address that works without a domain of one's own. */
function TestAddress({ projectId, primary = false }: { projectId: string; primary?: boolean }) {
  const create = useCreateRoute()
  // Its place is another one once there is a route. A failure is shown beside the button.
  const add = useOneAtATime(() =>
    create.mutateAsync({ params: { projectId }, body: {} }).then(
      ({ address }) => toast.success("The test address works", { description: address }),
      () => undefined,
    ),
  )
  return (
    <>
      {create.error ? (
        <span role="alert" className="text-bad">
          {problemOf(create.error).detail}
        </span>
      ) : null}
      <Button size={primary ? undefined : "small"} loading={create.isPending} onClick={() => void add()}>
        Create test address
      </Button>
    </>
  )
}

function columnsWith(webhooks: readonly Webhook[], now: number): Column<InboundRoute>[] {
  const webhookOf = ({ webhookId }: InboundRoute) => webhooks.find(({ id }) => id === webhookId)
  return [
    {
      head: "Address",
      cell: (route, href) => (
        <>
          <RowLink href={href} prefetch={false} className="mono block truncate" title={route.address}>
            {route.address}
          </RowLink>
          <span className="mt-1 block sm:hidden">
            <MxPill route={route} />
          </span>
        </>
      ),
    },
    { head: "MX record", from: "sm", width: "w-36", cell: (route) => <MxPill route={route} /> },
    {
      head: "Webhook",
      from: "md",
      width: "w-[24%]",
      cell: (route) => {
        const webhook = webhookOf(route)
        if (!webhook) return <Absent />
        const { word, tone, tip } = webhookState(webhook, now)
        return (
          <span className="flex min-w-0 items-center gap-3">
            <span className="truncate">{webhook.name}</span>
            <Pill tone={tone} tip={tip} inTable>
              {word}
            </Pill>
          </span>
        )
      },
    },
    {
      head: "Last email",
      from: "lg",
      width: "w-40",
      muted: true,
      cell: ({ lastReceivedAt }) => (lastReceivedAt ? <RelativeTime at={lastReceivedAt} /> : <Absent word="Never" />),
    },
  ]
}

function MxPill({ route }: { route: InboundRoute }) {
  const { word, tone, means } = mxState(route)
  return (
    <Pill tone={tone} tip={means} inTable>
      {word}
    </Pill>
  )
}

const loadForm = () => import("@/components/inbound/add-route-form")
const AddRouteForm = lazy(loadForm)

export function AddRoute({ projectId }: { projectId: string }) {
  return (
    <AddDialog
      action="Create route"
      intent="create-route"
      description="Mail to an address of one of your verified domains."
      load={loadForm}
      height="h-80"
    >
      {() => <AddRouteForm projectId={projectId} />}
    </AddDialog>
  )
}
