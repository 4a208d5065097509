"use client"

import type { UseQueryResult } from "@tanstack/react-query"
import Link from "next/link"
import { formatNumber } from "@/lib/platform/format"
import { problemOf } from "@/components/data/problem"
import { Card, CardBody, CardHeader } from "@/components/ui/card"
import { cn } from "@/components/ui/cn"
import { Skeleton } from "@/components/ui/skeleton"
import type { Preview } from "@/components/segments/queries"
import { newTab } from "@/components/segments/why-card"

const left: Record<Preview["excluded"][number]["reason"], string> = {
  unsubscribed: "unsubscribed from everything",
  suppressed: "on the suppression list",
  no_opt_in: "without an opt-in to the topic",
}

type PreviewCardProps = { projectId: string; preview: UseQueryResult<Preview>; ready: boolean }

/** How many contacts match, some of them, and those that a send would exclude. */
export function PreviewCard({ projectId, preview, ready }: PreviewCardProps) {
  const { data } = preview
  const faulty = preview.isError && !problemOf(preview.error).errors?.length
  return (
    <Card aria-label="Preview">
      <CardHeader title="Preview" description="Based on the current contacts." />
      <CardBody>
        <div aria-live="polite" aria-busy={preview.isFetching}>
          {!ready ? <p className="text-muted">Fill in every value to see the matching contacts.</p> : null}
          {faulty ? <p className="text-muted">{problemOf(preview.error).detail}</p> : null}
          {ready && !data && preview.isPending ? <Skeleton className="h-24" /> : null}
          {ready && data ? <Counted projectId={projectId} data={data} stale={preview.isPlaceholderData} /> : null}
        </div>
      </CardBody>
    </Card>
  )
}

function Counted({ projectId, data, stale }: { projectId: string; data: Preview; stale: boolean }) {
  const out = data.excluded.filter(({ count }) => count > 0)
  return (
    <div className={cn(stale && "opacity-60")}>
      <p className="text-2xl font-semibold tracking-[-0.01em] tabular-nums">
        {data.exact ? formatNumber(data.count) : `about ${formatNumber(data.estimate)}`}
      </p>
      <p className="text-muted">
        {data.count === 1 && data.exact ? "contact" : "contacts"}
        {data.exact ? "" : `, among the newest ${formatNumber(data.scanned)}`}
      </p>
      {data.count > 0 ? (
        <p className="mt-3">
          A send would reach <b className="font-medium tabular-nums">{formatNumber(data.sendable)}</b>
          {data.exact ? "" : " of those counted"}.
        </p>
      ) : null}
      {out.length ? (
        <ul className="mt-1 text-muted">
          {out.map(({ reason, count, sample }) => (
            <li key={reason} title={sample.join(", ")}>
              <span className="tabular-nums">{formatNumber(count)}</span> {left[reason]}
            </li>
          ))}
        </ul>
      ) : null}
      {data.sample.length ? (
        <>
          <h3 className="mt-4 mb-1 text-xs font-medium text-muted">Sample</h3>
          <ul>
            {data.sample.map(({ contactId, email, firstName, lastName }) => (
              <li key={contactId} className="truncate py-0.5">
                <Link
                  href={`/projects/${projectId}/contacts/${contactId}`}
                  prefetch={false}
                  {...newTab}
                  className="mr-2 hover:underline"
                >
                  {email}
                </Link>
                <span className="text-muted">{[firstName, lastName].filter(Boolean).join(" ")}</span>
              </li>
            ))}
          </ul>
        </>
      ) : null}
    </div>
  )
}
