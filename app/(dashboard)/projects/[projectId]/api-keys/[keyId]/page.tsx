import type { Metadata } from "next"
import { ApiKeyDetail } from "@/components/api-keys/api-key-detail"
import { KeyRequests, KeyUsage } from "@/components/api-keys/key-usage"
import { keyDetail, keyUsageSummary } from "@/components/api-keys/queries"
import { Prefetch, titleOf } from "@/components/data/prefetch"
import { env } from "@/lib/platform/env/env"

type Props = { params: Promise<{ projectId: string; keyId: string }> }

export async function generateMetadata({ params }: Props): Promise<Metadata> {
  const { projectId, keyId } = await params
  return titleOf(keyDetail(projectId, keyId), (key) => key.name ?? key.start, "API key")
}

export default async function ApiKeyPage({ params }: Props) {
  const { projectId, keyId } = await params
  const { baseUrl, serviceDomain } = env()
  // Without the list of requests: it begins near the bottom of the first screen, and has over half of the page's elements.
  return (
    <Prefetch queries={[keyDetail(projectId, keyId), keyUsageSummary(projectId, keyId)]}>
      <ApiKeyDetail
        projectId={projectId}
        keyId={keyId}
        baseUrl={baseUrl}
        recipient={`delivered@simulator.${serviceDomain}`}
      >
        <KeyUsage projectId={projectId} keyId={keyId} />
        <KeyRequests projectId={projectId} keyId={keyId} />
      </ApiKeyDetail>
    </Prefetch>
  )
}
