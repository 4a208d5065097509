import type { Metadata } from "next"
import { Prefetch } from "@/components/api/prefetch"
import { deliveriesQuery, healthQuery, webhookQuery, type Delivery } from "@/components/webhooks/queries"
import { WebhookDetail } from "@/components/webhooks/webhook-detail"

export const metadata: Metadata = { title: "Webhook" }

type Props = {
  params: Promise<{ projectId: string; webhookId: string }>
  searchParams: Promise<{ status?: Delivery["status"]; before?: string; hour?: string }>
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
