"use client"

import { useQuery, type UseQueryResult } from "@tanstack/react-query"
import Link from "next/link"
import { useMemo } from "react"
import { problemOf } from "@/components/data/call"
import { isComplete } from "@/components/segments/conditions"
import { GroupEditor } from "@/components/segments/group-editor"
import { type SegmentPreview, segmentPreviewQuery } from "@/components/segments/queries"
import { useKnown } from "@/components/segments/use-known"
import { useSettled } from "@/components/segments/use-settled"
import { newTab, WhyCard } from "@/components/segments/why-card"
import { Card, CardBody, CardHeader } from "@/components/ui/card"
import { cn } from "@/components/ui/cn"
import { Columns } from "@/components/ui/columns"
import { Skeleton } from "@/components/ui/skeleton"
import { formatNumber } from "@/lib/platform/format"
import type { Group } from "@/lib/segments/rules"

type FilterBuilderProps = {
  projectId: string
  /** The segment whose filter it is, once it is stored. */
  segmentId?: string
  filter: Group
  onChange: (filter: Group) => void
}

/** The filter beside a preview of its matches; errors of the API are shown at their conditions. */
export function FilterBuilder({ projectId, segmentId, filter, onChange }: FilterBuilderProps) {
  const known = useKnown(projectId, segmentId)
  const settled = useSettled(filter)
  const ready = isComplete(filter)
  const asked = isComplete(settled) ? { filter: settled } : null
  const preview = useQuery(segmentPreviewQuery(projectId, asked))
  const faults = useMemo(() => faultsOf(preview.error), [preview.error])
  return (
    <Columns layout="end">
      <div className="min-w-0">
        <Card aria-label="Filter">
          <CardHeader title="Filter" description="Membership is updated within seconds of a change." />
          <CardBody>
            <GroupEditor group={filter} onChange={onChange} known={known} faults={faults} />
          </CardBody>
        </Card>
      </div>
      <div className="min-w-0 lg:sticky lg:top-4 lg:self-start">
        <PreviewCard projectId={projectId} preview={preview} ready={ready} />
        <WhyCard projectId={projectId} about={asked} known={known} />
      </div>
    </Columns>
  )
}

function faultsOf(error: unknown): ReadonlyMap<string, string> {
  if (!error) return new Map()
  return new Map(
    (problemOf(error).errors ?? []).map(({ pointer, detail }) => [pointer.replace(/^\/filter/, ""), detail]),
  )
}

const left: Record<SegmentPreview["excluded"][number]["reason"], string> = {
  unsubscribed: "unsubscribed from everything",
  suppressed: "on the suppression list",
  no_opt_in: "without an opt-in to the topic",
}

type PreviewCardProps = { projectId: string; preview: UseQueryResult<SegmentPreview>; ready: boolean }

/** How many contacts match, some of them, and those that a send would exclude. */
function PreviewCard({ projectId, preview, ready }: PreviewCardProps) {
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

function Counted({ projectId, data, stale }: { projectId: string; data: SegmentPreview; stale: boolean }) {
  const out = data.excluded.filter(({ count }) => count > 0)
  return (
    <div className={cn(stale && "opacity-60")} aria-busy={stale}>
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
