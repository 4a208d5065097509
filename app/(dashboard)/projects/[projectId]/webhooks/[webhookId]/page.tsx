import type { Metadata } from "next"
import { Prefetch, readQuery, titleOf } from "@/components/data/prefetch"
import {
  deliveriesQuery,
  healthQuery,
  webhookPreviewQuery,
  webhookShape,
  webhookQuery,
  type WebhookDelivery,
} from "@/components/webhooks/queries"
import { WebhookDetail } from "@/components/webhooks/webhook-detail"

type Props = {
  params: Promise<{ projectId: string; webhookId: string }>
  searchParams: Promise<{ status?: WebhookDelivery["status"]; before?: string; hour?: string }>
}

export async function generateMetadata({ params }: Props): Promise<Metadata> {
  const { projectId, webhookId } = await params
  return titleOf(webhookQuery(projectId, webhookId), (webhook) => webhook.name, "Webhook")
}

export default async function WebhookPage({ params, searchParams }: Props) {
  const { projectId, webhookId } = await params
  const { status, before, hour } = await searchParams
  const webhook = webhookQuery(projectId, webhookId)
  const deliveries = deliveriesQuery(projectId, webhookId, { status, before, hour })
  // Its place is taken by deliveries once there are some.
  const preview = Promise.all([readQuery(webhook), readQuery(deliveries)]).then(([shown, found]) =>
    shown && !found?.data.length ? webhookPreviewQuery(projectId, webhookShape(shown)) : null,
  )
  return (
    <Prefetch queries={[webhook, healthQuery(projectId, webhookId), deliveries, preview]}>
      <WebhookDetail projectId={projectId} webhookId={webhookId} />
    </Prefetch>
  )
}
