"use client"

import { useQuery } from "@tanstack/react-query"
import { lazy, Suspense } from "react"
import { formatNumber } from "@/lib/platform/format"
import { problemOf } from "@/components/data/problem"
import { dmarcSummary, type DmarcSummary } from "@/components/domains/report-queries"
import { Card, CardHeader } from "@/components/ui/card"
import { EmptyState } from "@/components/ui/empty-state"
import { ErrorState } from "@/components/ui/error-state"
import { Pill, type Tone } from "@/components/ui/pill"
import { SkeletonRows } from "@/components/ui/skeleton"
import { Stat, Stats } from "@/components/ui/stat"
import { Table, Td, Th } from "@/components/ui/table"

const DmarcUpload = lazy(() => import("@/components/domains/dmarc-upload"))

type DmarcCardProps = { projectId: string; domainId: string; mayWrite: boolean }

/** What receivers report about mail from the domain, and the upload of their reports. */
export function DmarcCard({ projectId, domainId, mayWrite }: DmarcCardProps) {
  const { data, error, refetch, isRefetching } = useQuery(dmarcSummary(projectId, domainId))
  return (
    <Card aria-label="DMARC reports">
      <CardHeader
        title="DMARC reports"
        description="What receivers reported about email from this domain in the last 30 days."
      />
      {data ? (
        <Summary summary={data} />
      ) : error ? (
        <ErrorState
          message={problemOf(error).detail ?? problemOf(error).title}
          requestId={problemOf(error).requestId}
          onRetry={() => void refetch()}
          retrying={isRefetching}
        />
      ) : (
        <SkeletonRows rows={3} />
      )}
      {mayWrite ? (
        <Suspense fallback={<div className="h-20 border-t border-line" />}>
          <DmarcUpload projectId={projectId} domainId={domainId} />
        </Suspense>
      ) : null}
    </Card>
  )
}

function Summary({ summary }: { summary: DmarcSummary }) {
  if (summary.days === 0)
    return (
      <EmptyState title="No reports yet" className="py-8">
        Receivers such as Gmail send a report each day to the address in your DMARC record. Upload them here to see who
        sends as this domain.
      </EmptyState>
    )
  const { messages, dispositions } = summary
  const stopped = dispositions.quarantine + dispositions.reject
  return (
    <>
      <Stats columns={4}>
        <Stat
          label="Passed DMARC"
          value={percent(summary.alignedRate)}
          hint={`${formatNumber(summary.aligned)} of ${formatNumber(messages)} messages`}
        />
        <Stat
          label="Unknown sources"
          value={formatNumber(summary.unknownSources)}
          hint={`${formatNumber(summary.unknownMessages)} messages`}
        />
        <Stat
          label="Quarantined or rejected"
          value={formatNumber(stopped)}
          hint={`${formatNumber(dispositions.quarantine)} quarantined, ${formatNumber(dispositions.reject)} rejected`}
        />
        <Stat
          label="Days with reports"
          value={formatNumber(summary.days)}
          hint={`of the last 90; ${formatNumber(summary.reports)} reports in 30 days`}
        />
      </Stats>
      {summary.tightening ? <Advice advice={summary.tightening} /> : null}
      <Sources sources={summary.sources} />
    </>
  )
}

function Advice({ advice }: { advice: NonNullable<DmarcSummary["tightening"]> }) {
  const { next, safe, current, reason } = advice
  const title = !next ? `The policy is ${current}` : safe ? `You can set p=${next}` : `Keep p=${current} for now`
  return (
    <div className="flex flex-wrap items-baseline gap-x-3 gap-y-1 border-t border-line px-4 py-3">
      <Pill tone={safe || !next ? "good" : "warn"}>{title}</Pill>
      <p className="min-w-0 flex-1 basis-80 text-muted">{reason}</p>
    </div>
  )
}

const kinds: Record<DmarcSummary["sources"][number]["kind"], { word: string; tone: Tone; tip: string }> = {
  service: { word: "This service", tone: "good", tip: "Sent through this installation." },
  authorized: { word: "Authorized", tone: "good", tip: "Another server that passes SPF or DKIM for this domain." },
  forwarder: { word: "Forwarder", tone: "wait", tip: "The receiver reported it as a forwarder or a mailing list." },
  unknown: {
    word: "Unknown",
    tone: "warn",
    tip: "Passes neither SPF nor DKIM for this domain. Set it up, or let a stricter policy stop it.",
  },
}

const sourcesShown = 10

function Sources({ sources }: { sources: DmarcSummary["sources"] }) {
  return (
    <div className="border-t border-line">
      <Table label="Sources" minWidth="min-w-0">
        <thead>
          <tr>
            <Th>Source</Th>
            <Th className="hidden w-36 sm:table-cell">Kind</Th>
            <Th className="hidden w-28 sm:table-cell" numeric>
              Addresses
            </Th>
            <Th className="w-28" numeric>
              Messages
            </Th>
            <Th className="hidden w-28 sm:table-cell" numeric>
              Passed
            </Th>
          </tr>
        </thead>
        <tbody>
          {sources.slice(0, sourcesShown).map(({ name, kind, addresses, messages, aligned }) => (
            <tr key={`${name} ${kind}`}>
              <Td className="[overflow-wrap:anywhere]">
                <code className="block">{name}</code>
                <Pill tone={kinds[kind].tone} className="mt-1 sm:hidden">
                  {kinds[kind].word}
                </Pill>
              </Td>
              <Td className="hidden sm:table-cell">
                <Pill tone={kinds[kind].tone} tip={kinds[kind].tip} inTable>
                  {kinds[kind].word}
                </Pill>
              </Td>
              <Td numeric muted className="hidden tabular-nums sm:table-cell">
                {formatNumber(addresses)}
              </Td>
              <Td numeric className="tabular-nums">
                {formatNumber(messages)}
              </Td>
              <Td numeric muted className="hidden tabular-nums sm:table-cell">
                {percent(messages === 0 ? 0 : aligned / messages)}
              </Td>
            </tr>
          ))}
        </tbody>
      </Table>
      {sources.length > sourcesShown ? (
        <p className="border-t border-line px-4 py-2.5 text-muted">
          {formatNumber(sources.length - sourcesShown)} smaller sources are available through the API.
        </p>
      ) : null}
    </div>
  )
}

/** Rounded down: 99.99% is not all. */
function percent(share: number): string {
  return `${Math.floor(share * 1_000) / 10}%`
}
