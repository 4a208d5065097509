"use client"

import { useQuery } from "@tanstack/react-query"
import { advisorReport } from "@/components/metrics/queries"
import { ratingTone } from "@/components/metrics/rating"
import { Card, CardHeader } from "@/components/ui/card"
import { Pill } from "@/components/ui/pill"
import { TextLink } from "@/components/ui/text-link"

const shownMax = 3

/** The score and what lowers it most; the whole is on the Metrics page. Hidden while there is nothing to say. */
export function AdvisorCard({ projectId }: { projectId: string }) {
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
