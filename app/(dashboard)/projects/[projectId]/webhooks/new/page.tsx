import type { Metadata } from "next"
import { Only } from "@/components/access/only"
import { PageHeader } from "@/components/ui/page-header"
import { NewWebhook } from "@/components/webhooks/new-webhook"

export const metadata: Metadata = { title: "Create webhook" }

export default async function NewWebhookPage({ params }: { params: Promise<{ projectId: string }> }) {
  const { projectId } = await params
  return (
    <>
      <PageHeader
        title="Create webhook"
        crumbs={[{ label: "Webhooks", href: `/projects/${projectId}/webhooks` }, { label: "New" }]}
      />
      <Only permission="webhooks:write" projectId={projectId} act="create webhooks">
        <NewWebhook projectId={projectId} />
      </Only>
    </>
  )
}
