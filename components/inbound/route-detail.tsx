"use client"

import { useQuery } from "@tanstack/react-query"
import { useMay } from "@/components/access/powers"
import { DeleteCard } from "@/components/data/delete-card"
import { Form, FormRefusal } from "@/components/data/form"
import { PageNotLoaded } from "@/components/data/page-not-loaded"
import { useApiForm } from "@/components/data/use-api-form"
import { MxRecord, mxState, trialCommand } from "@/components/inbound/words"
import { type InboundRoute, inboundRouteQuery, useDeleteRoute, useUpdateRoute } from "@/components/inbound/queries"
import { RouteFields, type RouteValues } from "@/components/inbound/route-fields"
import type { Listener } from "@/components/inbound/routes-card"
import { Card, CardBody, CardHeader, SaveRow } from "@/components/ui/card"
import { CodeBlock } from "@/components/ui/code-block"
import { CopyText } from "@/components/ui/copy-button"
import { KeyValues } from "@/components/ui/key-values"
import { PageHeader } from "@/components/ui/page-header"
import { Pill } from "@/components/ui/pill"
import { RelativeTime } from "@/components/ui/relative-time"
import { TextLink } from "@/components/ui/text"
import { toast } from "@/components/ui/toast"
import { webhooksQuery } from "@/components/webhooks/queries"
import { countText } from "@/lib/platform/format"

type RouteDetailProps = { projectId: string; routeId: string; listener: Listener }

/** One route: the record that brings its mail here, what it does with mail, and how to try it. */
export function RouteDetail({ projectId, routeId, listener }: RouteDetailProps) {
  const read = useQuery(inboundRouteQuery(projectId, routeId))
  const mayWrite = useMay("inbound:write")
  const list = { label: "Inbound", href: `/projects/${projectId}/inbound` }
  if (!read.data) return <PageNotLoaded of="Route" lists={[list]} read={read} />
  const route = read.data
  const { word, tone, means } = mxState(route)
  return (
    <>
      <PageHeader
        crumbs={[list, { label: "Route" }]}
        title={<CopyText value={route.address} name="address" inline className="[&_code]:text-xl" />}
        pill={
          <Pill tone={tone} tip={means}>
            {word}
          </Pill>
        }
        meta={[
          route.lastReceivedAt ? (
            <span key="last">
              Last email <RelativeTime at={route.lastReceivedAt} />
            </span>
          ) : (
            "No email yet"
          ),
          <TextLink key="emails" href={`${list.href}?route=${route.id}`}>
            Its email
          </TextLink>,
        ]}
      />
      <Arrival route={route} listener={listener} />
      <Settings projectId={projectId} route={route} mayWrite={mayWrite} />
      {mayWrite ? <DeleteRoute projectId={projectId} route={route} /> : null}
    </>
  )
}

/** The MX record with what is published now, and a command that tries the route without it. */
function Arrival({ route, listener }: { route: InboundRoute; listener: Listener }) {
  const { mx } = route
  return (
    <Card aria-label="MX record">
      <CardHeader
        title="MX record"
        description={mx ? mxState(route).means : "A test address of this service needs no DNS record."}
      />
      {mx ? <MxRecord mx={mx} /> : null}
      <CardBody className={mx ? "border-t border-line" : ""}>
        <p className="mb-2 text-muted">Hand an email to this installation, as a mail server does:</p>
        <CodeBlock code={trialCommand(route.address, listener)} name="curl command" wrap={false} />
      </CardBody>
    </Card>
  )
}

function Settings({ projectId, route, mayWrite }: { projectId: string; route: InboundRoute; mayWrite: boolean }) {
  const update = useUpdateRoute()
  const webhooks = useQuery(webhooksQuery(projectId))
  const { match, webhookId = null, keepDays } = route
  const form = useApiForm({
    schema: () => import("@/lib/received/routes/schema").then(({ InboundRouteChange }) => InboundRouteChange),
    values: { match, webhookId, keepDays } as RouteValues,
    refusals: { "inbound_route.already_exists": { field: "match" } },
    async save(body) {
      await update.mutateAsync({ params: { projectId, routeId: route.id }, body })
      toast.success("Saved")
    },
  })
  const hook = webhooks.data?.data.find(({ id }) => id === webhookId)
  if (!mayWrite)
    return (
      <Card aria-label="Settings">
        <CardHeader title="Settings" />
        <KeyValues
          items={[
            { label: "Webhook", value: hook?.name ?? "None" },
            { label: "Keep for", value: countText(keepDays, "day") },
          ]}
        />
      </Card>
    )
  return (
    <Card aria-label="Settings">
      <CardHeader title="Settings" description="Changes hold for email that arrives from now on." />
      <Form form={form}>
        <CardBody className="flex max-w-160 flex-col gap-4">
          <FormRefusal form={form} title="The route was not changed." />
          <RouteFields form={form} webhooks={webhooks.data?.data ?? []} stored={route.webhookId} none={null} />
        </CardBody>
        {form.dirty ? <SaveRow saving={form.saving} onReset={form.discard} /> : null}
      </Form>
    </Card>
  )
}

function DeleteRoute({ projectId, route }: { projectId: string; route: InboundRoute }) {
  const remove = useDeleteRoute()
  return (
    <DeleteCard
      noun="route"
      name={route.address}
      description="Mail to the address is refused from then on."
      remove={() => remove.mutateAsync({ params: { projectId, routeId: route.id } })}
      list={`/projects/${projectId}/inbound`}
    >
      Senders are told that the address does not exist. Email that it has received is kept for as long as it said.
    </DeleteCard>
  )
}
