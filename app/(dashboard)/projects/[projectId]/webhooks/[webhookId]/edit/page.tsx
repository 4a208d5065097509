import type { Metadata } from "next"
import { Only } from "@/components/access/only"
import { Prefetch, readQuery, titleOf } from "@/components/data/prefetch"
import { EditWebhook } from "@/components/webhooks/edit-webhook"
import { projectSettings } from "@/components/settings/queries"
import { webhookPreviewQuery, webhookShape, webhookQuery } from "@/components/webhooks/queries"

type Props = { params: Promise<{ projectId: string; webhookId: string }> }

export async function generateMetadata({ params }: Props): Promise<Metadata> {
  const { projectId, webhookId } = await params
  return titleOf(webhookQuery(projectId, webhookId), ({ name }) => `Edit ${name}`, "Edit webhook")
}

export default async function EditWebhookPage({ params }: Props) {
  const { projectId, webhookId } = await params
  const webhook = webhookQuery(projectId, webhookId)
  const preview = readQuery(webhook).then((found) => found && webhookPreviewQuery(projectId, webhookShape(found)))
  const delivered = (await readQuery(projectSettings(projectId)))?.delivered ?? "accept"
  return (
    <Only permission="webhooks:write" projectId={projectId} act="change webhooks">
      <Prefetch queries={[webhook, preview]}>
        <EditWebhook projectId={projectId} webhookId={webhookId} delivered={delivered} />
      </Prefetch>
    </Only>
  )
}
