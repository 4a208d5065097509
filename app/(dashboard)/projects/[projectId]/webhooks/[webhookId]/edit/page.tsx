import type { Metadata } from "next"
import { Only } from "@/components/access/only"
import { Prefetch } from "@/components/api/prefetch"
import { EditWebhook } from "@/components/webhooks/edit-webhook"
import { webhookQuery } from "@/components/webhooks/queries"

export const metadata: Metadata = { title: "Edit webhook" }

type Props = { params: Promise<{ projectId: string; webhookId: string }> }

export default async function EditWebhookPage({ params }: Props) {
  const { projectId, webhookId } = await params
  return (
    <Only permission="webhooks:write" projectId={projectId} act="change webhooks">
      <Prefetch queries={[webhookQuery(projectId, webhookId)]}>
        <EditWebhook projectId={projectId} webhookId={webhookId} />
      </Prefetch>
    </Only>
  )
}
