import type { Metadata } from "next"
import { Prefetch } from "@/components/data/prefetch"
import { DomainList } from "@/components/domains/domain-list"
import { domainsQuery } from "@/components/domains/queries"
import { sendingPlace } from "@/app/(dashboard)/projects/[projectId]/domains/sending-place"

export const metadata: Metadata = { title: "Domains" }

type Props = {
  params: Promise<{ projectId: string }>
  searchParams: Promise<Record<string, string | string[] | undefined>>
}

export default async function DomainsPage({ params, searchParams }: Props) {
  const { projectId } = await params
  const page = Math.max(1, Number.parseInt(String((await searchParams).page), 10) || 1)
  const place = await sendingPlace(projectId)
  return (
    <Prefetch queries={[domainsQuery(projectId, page)]}>
      <DomainList projectId={projectId} {...place} />
    </Prefetch>
  )
}
