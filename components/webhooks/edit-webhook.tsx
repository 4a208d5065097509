"use client"

import { useQuery } from "@tanstack/react-query"
import { LoadError } from "@/components/data/load-error"
import { Card } from "@/components/ui/card"
import { PageHeader } from "@/components/ui/page-header"
import { SkeletonRows } from "@/components/ui/loading"
import { toast } from "@/components/ui/toast"
import { useGoOn } from "@/components/ui/leaving"
import { webhookShape, useUpdateWebhook, webhookQuery } from "@/components/webhooks/queries"
import { WebhookForm } from "@/components/webhooks/webhook-form"

type EditWebhookProps = { projectId: string; webhookId: string; delivered: string }

export function EditWebhook({ projectId, webhookId, delivered }: EditWebhookProps) {
  const goOn = useGoOn()
  const update = useUpdateWebhook()
  const { data: webhook, error, refetch, isFetching } = useQuery(webhookQuery(projectId, webhookId))
  const list = `/projects/${projectId}/webhooks`
  const page = `${list}/${webhookId}`
  if (!webhook)
    return (
      <>
        <PageHeader title="Edit webhook" crumbs={[{ label: "Webhooks", href: list }, { label: "Edit" }]} />
        <Card>
          {error ? (
            <LoadError error={error} onRetry={() => void refetch()} retrying={isFetching} />
          ) : (
            <SkeletonRows rows={8} label="Loading the webhook" />
          )}
        </Card>
      </>
    )
  const { name, url } = webhook
  return (
    <>
      <PageHeader
        title={`Edit ${name}`}
        crumbs={[{ label: "Webhooks", href: list }, { label: name, href: page }, { label: "Edit" }]}
        meta={["Waiting deliveries go to the new URL with their current body."]}
      />
      <WebhookForm
        projectId={projectId}
        delivered={delivered}
        initial={{ name, url, ...webhookShape(webhook) }}
        action="Save changes"
        refusal="The webhook was not changed."
        back={page}
        save={async ({ name: wanted, ...values }) => {
          const body = { ...values, ...(wanted && { name: wanted }) }
          await update.mutateAsync({ params: { projectId, endpointId: webhookId }, body })
          toast.success("Saved")
          goOn(page)
        }}
      />
    </>
  )
}
