import { Plus } from "lucide-react"
import type { Metadata } from "next"
import { May } from "@/components/access/powers"
import { Prefetch } from "@/components/data/prefetch"
import { segmentsQuery, topicsQuery } from "@/components/segments/queries"
import { SegmentsList } from "@/components/segments/segments-list"
import { ButtonLink } from "@/components/ui/button"
import { PageHeader } from "@/components/ui/page-header"
import { env } from "@/lib/platform/env/env"

export const metadata: Metadata = { title: "Segments" }

type Props = {
  params: Promise<{ projectId: string }>
  searchParams: Promise<Record<string, string | string[] | undefined>>
}

export default async function SegmentsPage({ params, searchParams }: Props) {
  const { projectId } = await params
  const page = Math.max(1, Number.parseInt(String((await searchParams).page), 10) || 1)
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
        <SegmentsList projectId={projectId} baseUrl={env().baseUrl} />
      </Prefetch>
    </>
  )
}
