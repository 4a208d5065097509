"use client"

import { useQuery } from "@tanstack/react-query"
import { dynamic } from "@/components/ui/dynamic"
import { useState } from "react"
import { May, useMay } from "@/components/access/powers"
import { domainsQuery, emailsQuery } from "@/components/emails/queries"
import { projectRegion, projectSettings } from "@/components/settings/queries"
import { useTimeOfDay } from "@/components/settings/use-time-of-day"
import { ButtonLink } from "@/components/ui/button"
import { Card } from "@/components/ui/card"
import { PageHeader } from "@/components/ui/page-header"
import { Skeleton } from "@/components/ui/skeleton"
import type { Api } from "@/lib/api/registry"
import { AdvisorCard } from "@/components/overview/advisor-card"
import { alertsOf } from "@/components/overview/alerts"
import { AlertsCard } from "@/components/overview/alerts-card"
import type { GuideFor } from "@/components/overview/guide/types"
import { useGuide } from "@/components/overview/guide/use-guide"
import { LimitsCard } from "@/components/overview/limits-card"
import { ProblemsCard } from "@/components/overview/problems-card"
import { keysQuery, weekQuery } from "@/components/overview/queries"
import { Volume } from "@/components/overview/volume"

const Guide = dynamic(() => import("@/components/overview/guide/guide"), {
  ssr: false,
  loading: () => (
    <Card>
      <Skeleton className="m-4 h-10 w-64" />
      <Skeleton className="mx-4 mb-4 h-12" />
      <Skeleton className="mx-4 mb-4 h-32" />
    </Card>
  ),
})

const LiveCard = dynamic(() => import("@/components/overview/live-card"), {
  ssr: false,
  loading: () => (
    <Card>
      <Skeleton className="m-4 h-40" />
    </Card>
  ),
})

/** The state of the project: what to do now, how it went, what failed and what happens. */
export function Overview(about: GuideFor) {
  const { projectId } = about
  const { closed, close, sent, onSent } = useGuide(projectId)
  const [guided, setGuided] = useState(false)
  const may = useMay("emails:send")
  const domains = useQuery({ ...domainsQuery(projectId), refetchInterval: 10_000 }).data?.data
  const keys = useQuery(keysQuery(projectId)).data?.data
  const emails = useQuery({ ...emailsQuery(projectId, { size: 5 }), refetchInterval: 5_000 }).data?.page.total
  const settings = useQuery({ ...projectSettings(projectId), refetchInterval: 30_000 }).data
  const timeOfDay = useTimeOfDay()
  const region = useQuery(projectRegion(projectId)).data
  const week = useQuery(weekQuery(projectId)).data

  // Once begun it stays until it is closed or a domain of their own sends, so that its end can be read.
  if (emails === 0 && !guided) setGuided(true)
  const own = domains?.some(({ domain, status }) => status === "verified" && domain !== about.testDomain)
  const guide = (guided || (sent && !own)) && !closed && may && domains && keys
  return (
    <>
      <PageHeader
        title="Overview"
        actions={
          guide ? null : (
            <May permission="emails:send">
              <ButtonLink href={`/projects/${projectId}/emails/compose`} variant="primary">
                Compose
              </ButtonLink>
            </May>
          )
        }
      />
      <AlertsCard
        projectId={projectId}
        alerts={alertsOf(projectId, {
          ...(region ? { region } : {}),
          ...(domains ? { domains } : {}),
          ...(settings ? { daily: dailyOf(settings, timeOfDay) } : {}),
          ...(week ? { week } : {}),
        })}
      />
      {guide ? (
        <Guide
          {...about}
          domain={domains.find(({ status }) => status === "verified") ?? domains[0]}
          sent={sent}
          onSent={onSent}
          onClose={close}
        />
      ) : (
        <>
          <Volume projectId={projectId} />
          <div className="grid items-start gap-x-4 lg:grid-cols-[minmax(0,1fr)_344px]">
            <div className="min-w-0">
              <ProblemsCard projectId={projectId} />
              <LiveCard projectId={projectId} />
            </div>
            <div className="min-w-0">
              {settings ? <LimitsCard projectId={projectId} settings={settings} timeOfDay={timeOfDay} /> : null}
              <AdvisorCard projectId={projectId} />
            </div>
          </div>
        </>
      )}
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
