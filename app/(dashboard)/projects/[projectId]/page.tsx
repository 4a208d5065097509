import type { Metadata } from "next"
import { Prefetch, readQuery } from "@/components/data/prefetch"
import { domainQuery } from "@/components/domains/queries"
import { allDomainsQuery, emailsQuery } from "@/components/emails/queries"
import { advisorReport } from "@/components/metrics/queries"
import { alertsOf } from "@/components/overview/alerts"
import { Overview } from "@/components/overview/overview"
import { problemQueries, keysQuery, monthQuery, waitingQuery, weekQuery } from "@/components/overview/queries"
import { projectRegion, projectSettings } from "@/components/settings/queries"
import { env } from "@/lib/platform/env/env"
import { slugOf } from "@/lib/projects/rules"
import { signedIn } from "@/app/(dashboard)/signed-in"
import { regionNames, type Region } from "@/lib/regions/regions"
import { regionSettings } from "@/lib/regions/settings"

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
    allDomainsQuery(projectId),
    keysQuery(projectId),
    emailsQuery(projectId, { size: 5 }),
    projectSettings(projectId),
    projectRegion(projectId),
    weekQuery(projectId),
    waitingQuery(projectId),
    monthQuery(projectId),
    advisorReport(projectId),
    ...problemQueries(projectId),
    domainInTrouble(projectId),
  ]
  return (
    <Prefetch queries={queries}>
      <Overview {...await guideFor(projectId)} />
    </Prefetch>
  )
}

/** The domain that the first of its alerts is about, whose missing records are shown. */
async function domainInTrouble(projectId: string) {
  const domains = (await readQuery(allDomainsQuery(projectId)))?.data ?? []
  const domainId = alertsOf(projectId, { domains }).find(({ domainId }) => domainId)?.domainId
  return domainId ? domainQuery(projectId, domainId) : null
}

/** The domain that the sandbox publishes records for, and the recipient of the first email. */
async function guideFor(projectId: string) {
  const { user, organizations } = await signedIn()
  const organization = organizations.find(({ projects }) => projects.some(({ id }) => id === projectId))
  const region = organization?.projects.find(({ id }) => id === projectId)?.region ?? regionNames[0]
  const captured = regionSettings().profiles[region as Region].transport === "sandbox"
  return {
    projectId,
    region,
    baseUrl: env().baseUrl,
    testDomain: captured && organization ? `${slugOf(organization.name)}.test` : null,
    person: { email: user.email, ...(user.name ? { name: user.name } : {}) },
  }
}
