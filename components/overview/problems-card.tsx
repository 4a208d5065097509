"use client"

import Link from "next/link"
import { bareAddress } from "@/components/emails/address"
import { statusWords } from "@/components/emails/status"
import { useProblems } from "@/components/overview/problems"
import { Card, CardHeader } from "@/components/ui/card"
import { Pill } from "@/components/ui/pill"
import { RelativeTime } from "@/components/ui/relative-time"
import { SkeletonRows } from "@/components/ui/skeleton"
import { TextLink } from "@/components/ui/text-link"

/** The latest emails that somebody may ask about, with what happened. */
export function ProblemsCard({ projectId }: { projectId: string }) {
  const problems = useProblems(projectId)
  const emails = `/projects/${projectId}/emails`
  return (
    <Card aria-labelledby="overview-problems">
      <CardHeader
        id="overview-problems"
        title="Latest problems"
        actions={<TextLink href={`${emails}?status=bounced`}>Bounced emails</TextLink>}
      />
      {problems ? null : <SkeletonRows rows={5} label="Loading the latest problems" />}
      {problems?.length === 0 ? <p className="px-4 py-6 text-muted">No problems in the last 7 days.</p> : null}
      <ul className="divide-y divide-line">
        {problems?.map(({ id, status, to, subject, error, createdAt }) => {
          const { word, tone, means } = statusWords(status)
          return (
            <li key={id}>
              <Link
                href={`${emails}/${id}`}
                prefetch={false}
                className="grid grid-cols-[minmax(0,1fr)_auto] items-start gap-x-3 gap-y-1 sm:grid-cols-[112px_minmax(0,1fr)_auto] px-4 py-2.5 -outline-offset-2 hover:bg-sunken"
              >
                <span className="max-sm:col-start-1 max-sm:row-start-2">
                  <Pill tone={tone}>{word}</Pill>
                </span>
                <span className="min-w-0">
                  <span className="block font-medium [overflow-wrap:anywhere]">{bareAddress(to[0] ?? "")}</span>
                  <span className="block truncate text-sm text-muted" title={error}>
                    {error ?? `${means} ${subject}`}
                  </span>
                </span>
                <span className="text-sm text-muted">
                  <RelativeTime at={createdAt} />
                </span>
              </Link>
            </li>
          )
        })}
      </ul>
    </Card>
  )
}
