import type { Metadata } from "next"
import { Prefetch, titleOf } from "@/components/data/prefetch"
import { requestQuery } from "@/components/logs/queries"
import { RequestDetail } from "@/components/logs/request-detail"

type Props = { params: Promise<{ projectId: string; requestId: string }> }

export async function generateMetadata({ params }: Props): Promise<Metadata> {
  const { projectId, requestId } = await params
  return titleOf(requestQuery(projectId, requestId), ({ method, route }) => `${method} ${route}`, "Request")
}

export default async function RequestPage({ params }: Props) {
  const { projectId, requestId } = await params
  return (
    <Prefetch queries={[requestQuery(projectId, requestId)]}>
      <RequestDetail projectId={projectId} requestId={requestId} />
    </Prefetch>
  )
}
