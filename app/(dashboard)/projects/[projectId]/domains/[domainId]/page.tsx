import type { Metadata } from "next"
import { Prefetch } from "@/components/api/prefetch"
import { DomainDetail } from "@/components/domains/domain-detail"
import { domainQuery } from "@/components/domains/queries"
import { sendingPlace } from "../sending-place"

export const metadata: Metadata = { title: "Domain" }

type Props = { params: Promise<{ projectId: string; domainId: string }> }

export default async function DomainPage({ params }: Props) {
  const { projectId, domainId } = await params
  const { mayWrite } = await sendingPlace(projectId)
  return (
    <Prefetch queries={[domainQuery(projectId, domainId)]}>
      <DomainDetail projectId={projectId} domainId={domainId} mayWrite={mayWrite} />
    </Prefetch>
  )
}
