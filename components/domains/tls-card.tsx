"use client"

import { useQuery } from "@tanstack/react-query"
import { lazy, Suspense } from "react"
import { NotLoaded } from "@/components/data/load-error"
import { tlsSummary, type TlsSummary } from "@/components/domains/queries"
import { ReportMailState } from "@/components/domains/report-mail"
import { Card, CardHeader } from "@/components/ui/card"
import { EmptyState } from "@/components/ui/empty-state"
import { Stat, Stats } from "@/components/ui/stat"
import { DataTable, type Column } from "@/components/ui/table"
import { formatNumber } from "@/lib/platform/format"

const ReportUpload = lazy(() => import("@/components/domains/report-upload"))

type TlsCardProps = { projectId: string; domainId: string; mayWrite: boolean }

/** What senders report about encryption on the way to the domain's mail servers (RFC 8460). */
export function TlsCard({ projectId, domainId, mayWrite }: TlsCardProps) {
  const summary = useQuery(tlsSummary(projectId, domainId))
  return (
    <Card aria-label="TLS reports">
      <CardHeader
        title="TLS reports"
        description="What senders reported about encrypted connections to this domain's mail servers in the last 30 days."
      />
      <ReportMailState projectId={projectId} domainId={domainId} kind="tls" />
      {summary.data ? <Summary summary={summary.data} /> : <NotLoaded read={summary} label="reports" rows={3} />}
      {mayWrite ? (
        <Suspense fallback={<div className="h-20 border-t border-line" />}>
          <ReportUpload projectId={projectId} domainId={domainId} kind="tls" />
        </Suspense>
      ) : null}
    </Card>
  )
}

function Summary({ summary: { reports, reporters, succeeded, failed, failures } }: { summary: TlsSummary }) {
  if (reports === 0)
    return (
      <EmptyState title="No reports yet" className="py-8">
        They show at which of your mail servers encryption fails, and why: an expired certificate, or a name that your
        MTA-STS policy does not allow.
      </EmptyState>
    )
  const all = succeeded + failed
  return (
    <>
      <Stats columns={3}>
        <Stat
          label="Encrypted"
          value={percent(all === 0 ? 0 : succeeded / all)}
          hint={`${formatNumber(succeeded)} of ${formatNumber(all)} sessions`}
        />
        <Stat label="Failed" value={formatNumber(failed)} hint="sessions" />
        <Stat
          label="Reports"
          value={formatNumber(reports)}
          hint={reporters === 1 ? "by one sender" : `by ${formatNumber(reporters)} senders`}
        />
      </Stats>
      {failures.length > 0 ? (
        <div className="border-t border-line">
          <DataTable
            label="Failures"
            columns={columns}
            rows={failures.slice(0, failuresShown)}
            keyOf={({ result, policyType, host }) => `${result} ${policyType} ${host}`}
          />
        </div>
      ) : null}
    </>
  )
}

const failuresShown = 10

type Failure = TlsSummary["failures"][number]

/** RFC 8460 section 4.3. */
const results: Record<string, string> = {
  "starttls-not-supported": "The server does not offer STARTTLS",
  "certificate-host-mismatch": "The certificate is for another name",
  "certificate-expired": "The certificate has expired",
  "certificate-not-trusted": "The certificate is not trusted",
  "validation-failure": "The connection could not be validated",
  "tlsa-invalid": "The TLSA record is invalid",
  "dnssec-invalid": "DNSSEC validation failed",
  "dane-required": "DANE is required, and no TLSA record was found",
  "sts-policy-fetch-error": "The MTA-STS policy could not be fetched",
  "sts-policy-invalid": "The MTA-STS policy is invalid",
  "sts-webpki-invalid": "The certificate of the MTA-STS host is not valid",
}

const policies: Record<string, string> = { sts: "MTA-STS", tlsa: "DANE", "no-policy-found": "None" }

const columns: Column<Failure>[] = [
  {
    head: "Failure",
    cellClassName: "[overflow-wrap:anywhere]",
    cell: ({ result, host }) => (
      <>
        <span className="block">{results[result] ?? result}</span>
        {host ? (
          <code className="block text-muted">{host}</code>
        ) : (
          <span className="block text-muted">Server not named</span>
        )}
      </>
    ),
  },
  { head: "Policy", from: "sm", width: "w-28", muted: true, cell: ({ policyType }) => policies[policyType] ?? "Other" },
  { head: "Sessions", width: "w-28", numeric: true, cell: ({ sessions }) => formatNumber(sessions) },
]

/** Rounded down: 99.99% is not all. */
function percent(share: number): string {
  return `${Math.floor(share * 1_000) / 10}%`
}
