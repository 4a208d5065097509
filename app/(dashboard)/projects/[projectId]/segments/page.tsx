import { Plus } from "lucide-react"
import type { Metadata } from "next"
import { createLoader, parseAsInteger, type SearchParams } from "nuqs/server"
import { May } from "@/components/access/powers"
import { Prefetch } from "@/components/data/prefetch"
import { segmentsQuery, topicsQuery } from "@/components/segments/queries"
import { addSegmentCurl } from "@/components/segments/curl"
import { SegmentsList } from "@/components/segments/segments-list"
import { AddressAdapter } from "@/components/layout/address-adapter"
import { ButtonLink } from "@/components/ui/button"
import { PageHeader } from "@/components/ui/page-header"
import { env } from "@/lib/platform/env/env"

export const metadata: Metadata = { title: "Segments" }

type Props = { params: Promise<{ projectId: string }>; searchParams: Promise<SearchParams> }

const loadPage = createLoader({ page: parseAsInteger.withDefault(1) })

export default async function SegmentsPage({ params, searchParams }: Props) {
  const { projectId } = await params
  const { page } = await loadPage(searchParams)
  return (
    <>
      <PageHeader
        title="Segments"
        meta={["Groups of contacts, by a filter or chosen one by one."]}
        actions={
          <May permission="contacts:write">
            <ButtonLink variant="primary" icon={<Plus />} href={`/projects/${projectId}/segments/new`}>
              Create segment
            </ButtonLink>
          </May>
        }
      />
      <Prefetch queries={[segmentsQuery(projectId, page), topicsQuery(projectId)]}>
        <AddressAdapter>
          <SegmentsList projectId={projectId} curl={addSegmentCurl(env().baseUrl, projectId)} />
        </AddressAdapter>
      </Prefetch>
    </>
  )
}
