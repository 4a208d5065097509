"use client"

import { useQuery } from "@tanstack/react-query"
import { useState } from "react"
import { May, useMay } from "@/components/access/powers"
import { allDomainsQuery, emailsQuery, type Email } from "@/components/emails/queries"
import { LoadError } from "@/components/data/load-error"
import { dynamic } from "@/components/late-parts/dynamic"
import { advisorReport } from "@/components/metrics/queries"
import { ratingTone } from "@/components/metrics/rates"
import { type Alert, alertsOf } from "@/components/overview/alerts"
import type { GuideFor } from "@/components/overview/guide/steps"
import { keysQuery, waitingQuery, weekQuery, useProblems } from "@/components/overview/queries"
import { Volume } from "@/components/overview/volume"
import { dailyState } from "@/components/settings/daily-state"
import { projectRegion, projectSettings } from "@/components/settings/queries"
import { useTimeOfDay, useTimeZone, useReaderTimes } from "@/components/ui/local-time"
import { ButtonLink } from "@/components/ui/button"
import { Card, CardHeader } from "@/components/ui/card"
import { PageHeader } from "@/components/ui/page-header"
import { Pill } from "@/components/ui/pill"
import { ProgressBar, Skeleton, SkeletonRows } from "@/components/ui/loading"
import { TextLink, AddressText } from "@/components/ui/text"
import { useInBrowser } from "@/components/ui/page-start"
import type { Api } from "@/lib/api/registry"
import { formatNumber } from "@/lib/platform/format"
import Link from "next/link"
import { addressWithoutName } from "@/components/emails/address"
import { statusWords } from "@/components/emails/status"
import { RelativeTime, useServerClock } from "@/components/ui/relative-time"

const Guide = dynamic(() => import("@/components/overview/guide/guide"), { ssr: false, loading: Placeholder })

function Placeholder() {
  return (
    <Card>
      <Skeleton className="m-4 h-10 w-64" />
      <Skeleton className="mx-4 mb-4 h-12" />
      <Skeleton className="mx-4 mb-4 h-32" />
    </Card>
  )
}

const LiveCard = dynamic(() => import("@/components/overview/live-card").then((loaded) => loaded.LiveCard), {
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
  const domainsRead = useQuery({ ...allDomainsQuery(projectId), refetchInterval: 10_000 })
  const keysRead = useQuery(keysQuery(projectId))
  const emailsRead = useQuery({ ...emailsQuery(projectId, { size: 5 }), refetchInterval: 5_000 })
  const domains = domainsRead.data?.data
  const keys = keysRead.data?.data
  const emails = emailsRead.data?.page.total
  const settings = useQuery({ ...projectSettings(projectId), refetchInterval: 30_000 }).data
  const timeOfDay = useTimeOfDay()
  const region = useQuery(projectRegion(projectId)).data
  const now = useServerClock()
  const week = useQuery(weekQuery(projectId, useTimeZone(), now())).data
  const waiting = useQuery({ ...waitingQuery(projectId), refetchInterval: 30_000 }).data?.data

  // Once begun it stays until it is closed or a domain of their own sends, so that its end can be read.
  if (emails === 0 && !guided) setGuided(true)
  const own = domains?.some(({ domain, status }) => status === "verified" && domain !== about.testDomain)
  const guide = (guided || (sent && !own)) && !closed && may && domains && keys
  // Neither the guide nor the figures before it is known which of them it is.
  const undecided = !closed && may && [domainsRead, keysRead, emailsRead].some(({ isPending }) => isPending)
  return (
    <>
      <PageHeader
        title="Overview"
        actions={
          guide || undecided ? null : (
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
          ...(waiting ? { waiting } : {}),
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
      ) : undecided ? (
        <Placeholder />
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

const MissingRecords = dynamic(() =>
  import("@/components/domains/missing-records").then((module) => module.MissingRecords),
)

type AlertsCardProps = { projectId: string; alerts: Alert[] }

/** Problems that need attention, each with its meaning and a link to the fix, the first domain with what to publish; hidden if there are none. */
function AlertsCard({ projectId, alerts }: AlertsCardProps) {
  const inReaderTime = useReaderTimes()
  if (alerts.length === 0) return null
  const expanded = alerts.find(({ domainId }) => domainId)?.id
  return (
    <Card aria-labelledby="overview-alerts">
      <CardHeader
        id="overview-alerts"
        title="Needs attention"
        actions={alerts.length > 1 ? <span className="tabular-nums">{alerts.length}</span> : null}
      />
      <ul className="divide-y divide-line">
        {alerts.map(({ id, tone, title, detail, action, domainId }) => (
          <li key={id} className="flex flex-wrap items-start justify-between gap-x-4 gap-y-2 px-4 py-3 sm:flex-nowrap">
            <div className="min-w-0 grow [overflow-wrap:anywhere]">
              <p className="flex flex-wrap items-center gap-x-2 gap-y-1">
                <b>{title}</b>
                <Pill tone={tone}>{tone === "bad" ? "Critical" : "Warning"}</Pill>
              </p>
              <p className="text-muted">{inReaderTime(detail)}</p>
              {domainId && id === expanded ? <MissingRecords projectId={projectId} domainId={domainId} /> : null}
            </div>
            <ButtonLink href={action.href}>{action.label}</ButtonLink>
          </li>
        ))}
      </ul>
    </Card>
  )
}

type LimitsCardProps = { projectId: string; settings: Settings; timeOfDay: (at: string) => string }

/** What is used of the day, and what may be sent at once. */
function LimitsCard({ projectId, settings: { limits, today, burst }, timeOfDay }: LimitsCardProps) {
  const { value, used = 0 } = limits.dailySends
  const daily = dailyState({ ...limits.dailySends, ...today }, timeOfDay)
  const full = burst.used >= burst.size
  return (
    <Card aria-labelledby="overview-limits">
      <CardHeader
        id="overview-limits"
        title="Limits today"
        actions={<TextLink href={`/projects/${projectId}/settings#limits`}>All limits</TextLink>}
      />
      <ul className="divide-y divide-line">
        <Limit label={`${count(used)} of ${count(value)} emails`} used={used} limit={value} {...daily} />
        <Limit
          label={`Burst: ${count(burst.used)} of ${count(burst.size)}`}
          used={burst.used}
          limit={burst.size}
          tone={full ? "bad" : "accent"}
          note={`Up to ${count(burst.size)} at once, then ${count(limits.perSecondSends.value)} a second.`}
        />
      </ul>
    </Card>
  )
}

type LimitProps = { label: string; used: number; limit: number; note: string; tone: "accent" | "warn" | "bad" }

function Limit({ label, used, limit, note, tone }: LimitProps) {
  return (
    <li className="px-4 py-3">
      <p className="mb-2 flex justify-between gap-3">
        <b className="font-medium tabular-nums">{label}</b>
        <span className="text-muted tabular-nums">{Math.floor((used / Math.max(1, limit)) * 100)}%</span>
      </p>
      <ProgressBar label={label} value={used} max={limit} tone={tone} />
      <p className={`mt-2 text-sm ${noteStyle[tone]}`}>{note}</p>
    </li>
  )
}

const noteStyle = { accent: "text-muted", warn: "text-warn", bad: "text-bad" }
const count = (value: number) => formatNumber(value)

const shownMax = 3

/** The score and what lowers it most; the whole is on the Metrics page. Hidden while there is nothing to say. */
function AdvisorCard({ projectId }: { projectId: string }) {
  const report = useQuery({ ...advisorReport(projectId), refetchInterval: 300_000 }).data
  if (!report || (!report.enoughEmails && report.recommendations.length === 0)) return null
  const { score, rating = "Healthy", recommendations } = report
  return (
    <Card aria-labelledby="overview-advisor">
      <CardHeader
        id="overview-advisor"
        title="Deliverability"
        actions={<TextLink href={`/projects/${projectId}/metrics#advisor`}>Open advisor</TextLink>}
      />
      {report.enoughEmails ? (
        <p className="flex items-center gap-2.5 border-b border-line px-4 py-3 last:border-b-0">
          <span className="text-xl font-semibold tabular-nums">{score}</span>
          <Pill tone={ratingTone(rating)}>{rating}</Pill>
          {recommendations.length === 0 ? <span className="text-muted">Nothing to fix</span> : null}
        </p>
      ) : null}
      <ul className="divide-y divide-line">
        {recommendations.slice(0, shownMax).map(({ title, fix, severity, deduction = 0 }) => (
          <li key={title} className="flex gap-3 px-4 py-3">
            <span aria-hidden="true" className={`mt-2 size-1.5 shrink-0 rounded-full ${dots[severity] ?? "bg-wait"}`} />
            <span className="min-w-0 flex-1 [overflow-wrap:anywhere]">
              <span className="block font-medium">{title}</span>
              <span className="block text-muted">{fix?.replaceAll("`", "")}</span>
            </span>
            {deduction > 0 ? <span className="text-muted tabular-nums">−{deduction}</span> : null}
          </li>
        ))}
      </ul>
    </Card>
  )
}

const dots: Record<string, string> = { critical: "bg-bad", warning: "bg-warn", info: "bg-wait" }

const keyOf = (projectId: string) => `mailroom.guide.${projectId}`
const closed = "closed"

/**
 * How far somebody came with the guide of a project in this browser: closed for good, or the email it ended with, so
 * that its end can be read again.
 */
function useGuide(projectId: string) {
  const known = useInBrowser()
  const [now, setNow] = useState<string>()
  const kept = now ?? (known ? localStorage.getItem(keyOf(projectId)) : null)
  function keep(value: string) {
    localStorage.setItem(keyOf(projectId), value)
    setNow(value)
  }
  return {
    closed: kept === closed,
    sent: kept && kept !== closed ? kept : undefined,
    close: () => keep(closed),
    onSent: (emailId: string) => keep(emailId),
  }
}

/** The latest emails with a problem, and what happened to them. */
export function ProblemsCard({ projectId }: { projectId: string }) {
  const { problems, failed } = useProblems(projectId)
  const emails = `/projects/${projectId}/emails`
  return (
    <Card aria-labelledby="overview-problems">
      <CardHeader
        id="overview-problems"
        title="Latest problems"
        actions={<TextLink href={`${emails}?status=bounced`}>Bounced emails</TextLink>}
      />
      {problems ? null : failed ? (
        <LoadError error={failed.error} onRetry={() => void failed.refetch()} retrying={failed.isFetching} />
      ) : (
        <SkeletonRows rows={5} label="Loading the latest problems" />
      )}
      {problems?.length === 0 ? <p className="px-4 py-6 text-muted">No problems in the last 7 days.</p> : null}
      <ul className="divide-y divide-line">
        {problems?.map(({ email, domain, count, orMore }) => (
          <li key={email.id}>
            <ProblemRow
              email={email}
              who={
                count === 1
                  ? addressWithoutName(email.to[0] ?? "")
                  : `${count}${orMore ? " or more" : ""} emails to ${domain || "suppressed addresses"}`
              }
              href={
                count === 1
                  ? `${emails}/${email.id}`
                  : `${emails}?${new URLSearchParams({ status: email.status, ...(domain ? { search: domain } : {}) })}`
              }
            />
          </li>
        ))}
      </ul>
    </Card>
  )
}

type ProblemRowProps = { email: Email; who: string; href: string }

function ProblemRow({ email: { status, error, createdAt }, who, href }: ProblemRowProps) {
  const { word, tone, means } = statusWords(status)
  return (
    <Link
      href={href}
      prefetch={false}
      className="grid grid-cols-[minmax(0,1fr)_auto] items-start gap-x-3 gap-y-1 px-4 py-2.5 -outline-offset-2 hover:bg-sunken sm:grid-cols-[104px_minmax(0,1fr)_auto]"
    >
      <span className="max-sm:col-start-1 max-sm:row-start-2">
        <Pill tone={tone}>{word}</Pill>
      </span>
      <span className="min-w-0">
        <span className="block font-medium [overflow-wrap:anywhere]">
          <AddressText address={who} />
        </span>
        <span className="block text-sm text-muted">{error ?? means}</span>
      </span>
      <span className="text-sm text-muted">
        <RelativeTime at={createdAt} />
      </span>
    </Link>
  )
}
