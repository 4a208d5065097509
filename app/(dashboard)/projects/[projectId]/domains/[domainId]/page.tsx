import type { Metadata } from "next"
import { cookies, headers } from "next/headers"
import { Prefetch } from "@/components/api/prefetch"
import { DomainDetail } from "@/components/domains/domain-detail"
import { domainQuery } from "@/components/domains/queries"
import type { Domain } from "@/components/domains/types"
import { performAs } from "@/lib/api/perform-as"
import { sendingPlace } from "@/app/(dashboard)/projects/[projectId]/domains/sending-place"

type Props = { params: Promise<{ projectId: string; domainId: string }> }

export async function generateMetadata({ params }: Props): Promise<Metadata> {
  const { projectId, domainId } = await params
  const [route, input] = domainQuery(projectId, domainId).queryKey
  const ip = (await headers()).get("x-client-ip") ?? "127.0.0.1"
  // A domain that cannot be read has no name; the page says why.
  const domain = (await performAs((await cookies()).toString(), ip, route, input).catch(() => null)) as Domain | null
  return { title: domain?.domain ?? "Domain" }
}

export default async function DomainPage({ params }: Props) {
  const { projectId, domainId } = await params
  const { mayWrite } = await sendingPlace(projectId)
  return (
    <Prefetch queries={[domainQuery(projectId, domainId)]}>
      <DomainDetail projectId={projectId} domainId={domainId} mayWrite={mayWrite} />
    </Prefetch>
  )
}
