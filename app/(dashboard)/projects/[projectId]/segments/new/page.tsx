import type { Metadata } from "next"
import { Suspense } from "react"
import { Only } from "@/components/access/only"
import { Prefetch } from "@/components/api/prefetch"
import { NewSegment } from "@/components/segments/new-segment"
import { propertiesQuery, topicsQuery } from "@/components/segments/queries"
import { Card } from "@/components/ui/card"
import { PageHeader } from "@/components/ui/page-header"
import { SkeletonRows } from "@/components/ui/skeleton"

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
        <Suspense
          fallback={
            <Card>
              <SkeletonRows rows={6} label="Loading the builder" />
            </Card>
          }
        >
          <Prefetch queries={[propertiesQuery(projectId), topicsQuery(projectId)]}>
            <NewSegment projectId={projectId} />
          </Prefetch>
        </Suspense>
      </Only>
    </>
  )
}
