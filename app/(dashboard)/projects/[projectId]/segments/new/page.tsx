import type { Metadata } from "next"
import { Only } from "@/components/access/only"
import { Prefetch } from "@/components/data/prefetch"
import { NewSegmentForm } from "@/components/segments/new-segment"
import { propertiesQuery, topicsQuery } from "@/components/segments/queries"
import { PageHeader } from "@/components/ui/page-header"

export const metadata: Metadata = { title: "Create segment" }

export default async function NewSegmentPage({ params }: { params: Promise<{ projectId: string }> }) {
  const { projectId } = await params
  return (
    <>
      <PageHeader
        title="Create segment"
        crumbs={[{ label: "Segments", href: `/projects/${projectId}/segments` }, { label: "New" }]}
      />
      <Only permission="contacts:write" projectId={projectId} act="create segments">
        <Prefetch queries={[propertiesQuery(projectId), topicsQuery(projectId)]}>
          <NewSegmentForm projectId={projectId} />
        </Prefetch>
      </Only>
    </>
  )
}
