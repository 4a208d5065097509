import type { Metadata } from "next"
import { Prefetch } from "@/components/api/prefetch"
import { titleOf } from "@/components/api/read"
import { deliveriesQuery, healthQuery, webhookQuery, type Delivery } from "@/components/webhooks/queries"
import { WebhookDetail } from "@/components/webhooks/webhook-detail"

type Props = {
  params: Promise<{ projectId: string; webhookId: string }>
  searchParams: Promise<{ status?: Delivery["status"]; before?: string; hour?: string }>
}

export async function generateMetadata({ params }: Props): Promise<Metadata> {
  const { projectId, webhookId } = await params
  return titleOf(webhookQuery(projectId, webhookId), (webhook) => webhook.name, "Webhook")
}

export default async function WebhookPage({ params, searchParams }: Props) {
  const { projectId, webhookId } = await params
  const { status, before, hour } = await searchParams
  return (
    <Prefetch
      queries={[
        webhookQuery(projectId, webhookId),
        healthQuery(projectId, webhookId),
        deliveriesQuery(projectId, webhookId, { status, before, hour }),
      ]}
    >
      <WebhookDetail projectId={projectId} webhookId={webhookId} />
    </Prefetch>
  )
}
