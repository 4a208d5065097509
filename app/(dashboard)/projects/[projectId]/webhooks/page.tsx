import type { Metadata } from "next"
import { Prefetch } from "@/components/data/prefetch"
import { PageHeader } from "@/components/ui/page-header"
import { webhooksQuery } from "@/components/webhooks/queries"
import { CreateWebhook, WebhooksList } from "@/components/webhooks/webhooks-list"
import { env } from "@/lib/platform/env/env"

export const metadata: Metadata = { title: "Webhooks" }

export default async function WebhooksPage({ params }: { params: Promise<{ projectId: string }> }) {
  const { projectId } = await params
  return (
    <>
      <PageHeader
        title="Webhooks"
        meta={["Mailroom calls your servers when something happens to your email."]}
        actions={<CreateWebhook projectId={projectId} />}
      />
      <Prefetch queries={[webhooksQuery(projectId)]}>
        <WebhooksList projectId={projectId} baseUrl={env().baseUrl} />
      </Prefetch>
    </>
  )
}
