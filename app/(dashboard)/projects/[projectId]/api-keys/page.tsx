import type { Metadata } from "next"
import { ApiKeyTable } from "@/components/api-keys/api-key-table"
import { CreateKeyDialog } from "@/components/api-keys/new-key-dialogs"
import { keyList } from "@/components/api-keys/queries"
import { Prefetch } from "@/components/data/prefetch"
import { PageHeader } from "@/components/ui/page-header"
import { env } from "@/lib/platform/env/env"

export const metadata: Metadata = { title: "API keys" }

export default async function ApiKeysPage({ params }: { params: Promise<{ projectId: string }> }) {
  const { projectId } = await params
  const { baseUrl, serviceDomain } = env()
  const create = (
    <CreateKeyDialog projectId={projectId} baseUrl={baseUrl} recipient={`delivered@simulator.${serviceDomain}`} />
  )
  return (
    <Prefetch queries={[keyList(projectId)]}>
      <PageHeader
        title="API keys"
        meta={["Your programs use these keys to send and read email. A key works only for this project."]}
        actions={create}
      />
      <ApiKeyTable projectId={projectId} />
    </Prefetch>
  )
}
