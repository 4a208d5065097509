import type { Metadata } from "next"
import { Suspense } from "react"
import { Prefetch } from "@/components/api/prefetch"
import { domainsQuery, emailsQuery } from "@/components/emails/queries"
import { advisorReport } from "@/components/metrics/queries"
import { Overview } from "@/components/overview/overview"
import { keysQuery, summaryQuery, timelineQuery } from "@/components/overview/queries"
import { projectRegion, projectSettings } from "@/components/settings/queries"
import { Card } from "@/components/ui/card"
import { PageHeader } from "@/components/ui/page-header"
import { SkeletonRows } from "@/components/ui/skeleton"
import { signedIn } from "@/app/(dashboard)/signed-in"
import { sending } from "@/app/(dashboard)/projects/[projectId]/sending"

type Props = { params: Promise<{ projectId: string }> }

export async function generateMetadata({ params }: Props): Promise<Metadata> {
  const { projectId } = await params
  const projects = (await signedIn()).organizations.flatMap(({ projects }) => projects)
  const name = projects.find(({ id }) => id === projectId)?.name
  // The template of the project's layout is for the pages below it.
  return { title: { absolute: ["Overview", name, "Mailroom"].filter(Boolean).join(" · ") } }
}

export default async function OverviewPage({ params }: Props) {
  const { projectId } = await params
  const queries = [
    domainsQuery(projectId),
    keysQuery(projectId),
    emailsQuery(projectId, { size: 5 }),
    projectSettings(projectId),
    projectRegion(projectId),
    summaryQuery(projectId),
    timelineQuery(projectId),
    advisorReport(projectId),
  ]
  return (
    <>
      <PageHeader title="Overview" />
      <Suspense
        fallback={
          <Card>
            <SkeletonRows rows={8} label="Loading the overview" />
          </Card>
        }
      >
        <Prefetch queries={queries}>
          <Overview projectId={projectId} sending={sending()} />
        </Prefetch>
      </Suspense>
    </>
  )
}
