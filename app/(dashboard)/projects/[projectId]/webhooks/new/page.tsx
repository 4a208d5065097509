import type { Metadata } from "next"
import { Only } from "@/components/access/only"
import { Prefetch, readQuery } from "@/components/data/prefetch"
import { projectSettings } from "@/components/settings/queries"
import { PageHeader } from "@/components/ui/page-header"
import { usualEvents } from "@/components/webhooks/event-words"
import { NewWebhookForm } from "@/components/webhooks/new-webhook"
import { webhookPreviewQuery } from "@/components/webhooks/queries"

export const metadata: Metadata = { title: "Create webhook" }

export default async function NewWebhookPage({ params }: { params: Promise<{ projectId: string }> }) {
  const { projectId } = await params
  const delivered = (await readQuery(projectSettings(projectId)))?.delivered ?? "accept"
  return (
    <>
      <PageHeader
        title="Create webhook"
        crumbs={[{ label: "Webhooks", href: `/projects/${projectId}/webhooks` }, { label: "New" }]}
      />
      <Only permission="webhooks:write" projectId={projectId} act="create webhooks">
        <Prefetch
          queries={[
            webhookPreviewQuery(projectId, { events: usualEvents(delivered), filters: [], transformations: [] }),
          ]}
        >
          <NewWebhookForm projectId={projectId} delivered={delivered} />
        </Prefetch>
      </Only>
    </>
  )
}
