"use client"

import Link from "next/link"
import { addressWithoutName } from "@/components/emails/address"
import type { Email } from "@/components/emails/queries"
import { statusWords } from "@/components/emails/status"
import { useProblems } from "@/components/overview/problems"
import { AddressText } from "@/components/ui/address-text"
import { Card, CardHeader } from "@/components/ui/card"
import { Pill } from "@/components/ui/pill"
import { RelativeTime } from "@/components/ui/relative-time"
import { SkeletonRows } from "@/components/ui/skeleton"
import { TextLink } from "@/components/ui/text-link"

/** The latest emails with a problem, and what happened to them. */
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
