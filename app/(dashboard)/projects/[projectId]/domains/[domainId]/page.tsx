import type { Metadata } from "next"
import { Prefetch, titleOf } from "@/components/data/prefetch"
import { DomainDetail } from "@/components/domains/domain-detail"
import { domainQuery } from "@/components/domains/queries"
import { env } from "@/lib/platform/env/env"
import { regionSettings } from "@/lib/regions/settings"
import { sendingPlace } from "@/app/(dashboard)/projects/[projectId]/domains/sending-place"

type Props = { params: Promise<{ projectId: string; domainId: string }> }

export async function generateMetadata({ params }: Props): Promise<Metadata> {
  const { projectId, domainId } = await params
  return titleOf(domainQuery(projectId, domainId), ({ domain }) => domain, "Domain")
}

export default async function DomainPage({ params }: Props) {
  const { projectId, domainId } = await params
  const { mayWrite } = await sendingPlace(projectId)
  return (
    <Prefetch queries={[domainQuery(projectId, domainId)]}>
      <DomainDetail projectId={projectId} domainId={domainId} mayWrite={mayWrite} installation={installation()} />
    </Prefetch>
  )
}

/** The default ends in what no DNS knows. */
function installation() {
  const { serviceDomain } = env()
  const { port: inboundPort } = regionSettings().inbound
  return { serviceDomain, named: !serviceDomain.endsWith(".test"), inboundPort }
}
