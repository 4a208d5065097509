"use client"

import { useQuery } from "@tanstack/react-query"
import dynamic from "next/dynamic"
import { domainsQuery, emailsQuery } from "@/components/emails/queries"
import type { Sending } from "@/components/emails/use-first-curl"
import { projectRegion, projectSettings } from "@/components/settings/queries"
import { useTimeOfDay } from "@/components/settings/use-time-of-day"
import { Card } from "@/components/ui/card"
import { Skeleton } from "@/components/ui/skeleton"
import type { Api } from "@/lib/api/registry"
import { AdvisorCard } from "@/components/overview/advisor-card"
import { alertsOf } from "@/components/overview/alerts"
import { AlertsCard } from "@/components/overview/alerts-card"
import { Figures } from "@/components/overview/figures"
import { LatestEmails } from "@/components/overview/latest-emails"
import { keysQuery, summaryQuery } from "@/components/overview/queries"
import { SetupCard } from "@/components/overview/setup-card"
import { setupSteps } from "@/components/overview/setup-steps"

const LiveCard = dynamic(() => import("@/components/overview/live-card"), {
  ssr: false,
  loading: () => (
    <Card>
      <Skeleton className="m-4 h-40" />
    </Card>
  ),
})

/** The state of the project: problems, setup steps, the figures of the week, and live events. */
export function Overview({ projectId, sending }: { projectId: string; sending: Sending }) {
  const domains = useQuery({ ...domainsQuery(projectId), refetchInterval: 10_000 }).data?.data
  const keys = useQuery(keysQuery(projectId)).data?.data
  const emails = useQuery({ ...emailsQuery(projectId, { size: 5 }), refetchInterval: 5_000 }).data?.page.total
  const settings = useQuery({ ...projectSettings(projectId), refetchInterval: 30_000 }).data
  const timeOfDay = useTimeOfDay()
  const region = useQuery(projectRegion(projectId)).data
  const week = useQuery(summaryQuery(projectId)).data

  return (
    <>
      <AlertsCard
        alerts={alertsOf(projectId, {
          ...(region ? { region } : {}),
          ...(domains ? { domains } : {}),
          ...(settings ? { daily: dailyOf(settings, timeOfDay) } : {}),
          ...(week ? { week } : {}),
        })}
      />
      {domains && keys && emails !== undefined ? (
        <SetupCard steps={setupSteps(projectId, { domains, keys, emails })} />
      ) : null}
      {emails === 0 ? null : <Figures projectId={projectId} />}
      <AdvisorCard projectId={projectId} />
      <LatestEmails projectId={projectId} sending={sending} />
      <LiveCard projectId={projectId} />
      {emails === 0 ? <Figures projectId={projectId} /> : null}
    </>
  )
}

type Settings = Api["GET /v1/projects/{projectId}/settings"]["answer"]

function dailyOf({ limits, today }: Settings, timeOfDay: (at: string) => string) {
  return {
    ...limits.dailySends,
    ...(today.runsOutAt !== undefined && { runsOut: timeOfDay(today.runsOutAt) }),
    resets: timeOfDay(today.resetsAt),
  }
}
