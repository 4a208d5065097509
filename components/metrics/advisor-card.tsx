"use client"

import { useQuery } from "@tanstack/react-query"
import { useEffect, useRef } from "react"
import { formatNumber } from "@/lib/platform/format"
import { LoadError } from "@/components/data/load-error"
import { ratingTone } from "@/components/metrics/rates"
import { advisorReport } from "@/components/metrics/queries"
import type { AdvisorReport, Recommendation } from "@/components/metrics/chart"
import { ButtonLink } from "@/components/ui/button"
import { Card, CardHeader } from "@/components/ui/card"
import { cn } from "@/components/ui/cn"
import { Pill } from "@/components/ui/pill"
import { RelativeTime } from "@/components/ui/relative-time"
import { SkeletonRows } from "@/components/ui/loading"
import { TextLink, CodeText } from "@/components/ui/text"

/** The score and everything that lowers it; `#advisor` leads here. */
export function AdvisorCard({ projectId }: { projectId: string }) {
  const { data, error, isError, isFetching, refetch } = useQuery(advisorReport(projectId))
  const heading = useRef<HTMLHeadingElement>(null)
  const loaded = data !== undefined
  useEffect(() => {
    if (!loaded || window.location.hash !== "#advisor") return
    heading.current?.focus({ preventScroll: true })
    heading.current?.scrollIntoView({ block: "start" })
  }, [loaded])
  return (
    <Card id="advisor" aria-labelledby="metrics-advisor" className="scroll-mt-4">
      <CardHeader
        title={
          <span ref={heading} id="metrics-advisor" tabIndex={-1} className="rounded-sm outline-offset-4">
            Deliverability advisor
          </span>
        }
        actions={
          data ? (
            <span>
              from the last 30 days, <RelativeTime at={data.generatedAt} />
            </span>
          ) : undefined
        }
      />
      {data ? (
        <div className="grid lg:grid-cols-[13.5rem_1fr]">
          <Score report={data} />
          <Recommendations report={data} />
        </div>
      ) : isError ? (
        <LoadError error={error} onRetry={() => void refetch()} retrying={isFetching} />
      ) : (
        <SkeletonRows rows={4} label="Loading the advisor" />
      )}
    </Card>
  )
}

function Score({
  report: { score, rating = "Healthy", enoughEmails, emails = 0, recommendations },
}: {
  report: AdvisorReport
}) {
  const frame = "border-line p-4 max-lg:border-b lg:border-r"
  if (!enoughEmails) {
    return (
      <div className={frame}>
        <p className="text-lg font-semibold">No score yet</p>
        <p className="mt-1 text-muted">
          The score appears after 500 emails in 30 days; there are {formatNumber(emails)}.
        </p>
      </div>
    )
  }
  const [first] = recommendations
  const next = [90, 75, 50].find((bound) => bound > score)
  return (
    <div className={frame}>
      <p className="flex items-center gap-2.5">
        <span className="text-[2rem] leading-10 font-semibold tabular-nums">{score}</span>
        <Pill tone={ratingTone(rating)}>{rating}</Pill>
      </p>
      <div aria-hidden="true" className="relative mt-3 h-1.5">
        <div className="flex h-full gap-px overflow-hidden rounded-full">
          {[0, 50, 75, 90].map((from, at, bounds) => {
            const to = bounds[at + 1] ?? 100
            return (
              <span
                key={from}
                className={score >= from && (score < to || to === 100) ? tones[ratingTone(rating)] : "bg-wait-soft"}
                style={{ width: `${to - from}%` }}
              />
            )
          })}
        </div>
        <span className="absolute -top-0.5 h-2.5 w-0.5 bg-text" style={{ left: `${Math.min(99, score)}%` }} />
      </div>
      <div aria-hidden="true" className="relative mt-1 h-5 text-xs text-muted tabular-nums">
        {[50, 75, 90].map((bound) => (
          <span key={bound} className="absolute -translate-x-1/2" style={{ left: `${bound}%` }}>
            {bound}
          </span>
        ))}
      </div>
      <p className="mt-2 text-muted">
        {next === undefined || !first?.deduction
          ? "Healthy starts at 90."
          : score + first.deduction >= next
            ? `The first fix alone raises it to ${Math.min(100, score + first.deduction)}. Healthy starts at 90.`
            : `The first fix is worth ${first.deduction} points. Healthy starts at 90.`}
      </p>
    </div>
  )
}

const tones = { good: "bg-good", warn: "bg-warn", bad: "bg-bad", wait: "bg-line-field" }

function Recommendations({ report: { recommendations, enoughEmails } }: { report: AdvisorReport }) {
  if (recommendations.length === 0) {
    return (
      <div className="p-4">
        <p className="text-lg font-semibold">Nothing to fix</p>
        <p className="mt-1 text-muted">
          {enoughEmails
            ? "Complaints, bounces, volume, authentication and content meet the providers' requirements."
            : "Rates are evaluated once there is enough email: 200 sent for bounces, 1,000 delivered for complaints."}
        </p>
      </div>
    )
  }
  return (
    <ol className="divide-y divide-line">
      {recommendations.map((recommendation, at) => (
        <Tip key={`${recommendation.code}-${at}`} recommendation={recommendation} />
      ))}
    </ol>
  )
}

const severities: Record<string, string> = { critical: "text-bad", warning: "text-warn", info: "text-muted" }

function Tip({
  recommendation: { title, message, severity, fix, deduction = 0, evidenceUrl, fixUrl },
}: {
  recommendation: Recommendation
}) {
  return (
    <li className="grid gap-x-4 gap-y-3 p-4 [overflow-wrap:anywhere] md:grid-cols-[1fr_minmax(0,22rem)]">
      <div className="flex gap-4">
        <span className={cn("w-7 shrink-0 font-semibold tabular-nums", severities[severity])}>
          {deduction > 0 ? `−${deduction}` : "0"}
          <span className="sr-only"> points, {severity}</span>
        </span>
        <div className="min-w-0">
          <h3 className="font-semibold">{title}</h3>
          <p className="text-muted">
            {message} {evidenceUrl ? <TextLink href={evidenceUrl}>See the evidence</TextLink> : null}
          </p>
        </div>
      </div>
      <div className="max-md:pl-11">
        <p>
          <CodeText text={fix ?? ""} className="font-mono text-sm" />
        </p>
        {fixUrl ? (
          <ButtonLink href={fixUrl} size="small" className="mt-2">
            {fixWords(fixUrl)}
          </ButtonLink>
        ) : null}
      </div>
    </li>
  )
}

/** What the button opens, by the page it leads to. */
function fixWords(url: string): string {
  const [, , , area = ""] = url.split(/[/?#]/)
  const words: Record<string, string> = {
    domains: "Open the domain",
    segments: "Open segments",
    suppressions: "Open suppressions",
    topics: "Open topics",
    settings: "Open limits",
    emails: "Compose an email",
    metrics: "Open the rates",
  }
  return words[area] ?? "Open"
}
