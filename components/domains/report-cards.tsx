"use client"

import { useQuery } from "@tanstack/react-query"
import { lazy, Suspense } from "react"
import { countText, formatNumber } from "@/lib/platform/format"
import { NotLoaded } from "@/components/data/load-error"
import {
  dmarcSummary,
  firstReportPollMs,
  type DmarcSummary,
  tlsSummary,
  type TlsSummary,
} from "@/components/domains/queries"
import { ReportMailState } from "@/components/domains/report-mail"
import { Card, CardHeader } from "@/components/ui/card"
import { EmptyState } from "@/components/ui/empty-state"
import { Pill, type Tone } from "@/components/ui/pill"
import { Stat, Stats } from "@/components/ui/stat"
import { DataTable, type Column } from "@/components/ui/table"

const ReportUpload = lazy(() => import("@/components/domains/report-upload"))

type DmarcCardProps = { projectId: string; domainId: string; mayWrite: boolean }

/** What receivers report about mail from the domain, and the upload of their reports. */
export function DmarcCard({ projectId, domainId, mayWrite }: DmarcCardProps) {
  const summary = useQuery({
    ...dmarcSummary(projectId, domainId),
    refetchInterval: ({ state }) => (state.data?.days === 0 ? firstReportPollMs : false),
  })
  return (
    <Card aria-label="DMARC reports">
      <CardHeader
        title="DMARC reports"
        description="What receivers reported about email from this domain in the last 30 days."
      />
      <ReportMailState projectId={projectId} domainId={domainId} kind="dmarc" />
      {summary.data ? <DmarcFigures summary={summary.data} /> : <NotLoaded read={summary} label="reports" rows={3} />}
      {mayWrite ? (
        <Suspense fallback={<div className="h-20 border-t border-line" />}>
          <ReportUpload projectId={projectId} domainId={domainId} kind="dmarc" />
        </Suspense>
      ) : null}
    </Card>
  )
}

function DmarcFigures({ summary }: { summary: DmarcSummary }) {
  if (summary.days === 0)
    return (
      <EmptyState title="No reports yet" className="py-8">
        Receivers such as Gmail report each day who sends as this domain, and what passes DMARC. Upload reports that you
        have from elsewhere.
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
          hint={`${formatNumber(summary.aligned)} of ${countText(messages, "message")}`}
        />
        <Stat
          label="Unknown sources"
          value={formatNumber(summary.unknownSources)}
          hint={countText(summary.unknownMessages, "message")}
        />
        <Stat
          label="Quarantined or rejected"
          value={formatNumber(stopped)}
          hint={`${formatNumber(dispositions.quarantine)} quarantined, ${formatNumber(dispositions.reject)} rejected`}
        />
        <Stat
          label="Days with reports"
          value={formatNumber(summary.days)}
          hint={`of the last 90; ${formatNumber(summary.reports)} ${summary.reports === 1 ? "report" : "reports"} in 30 days`}
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
  const smaller = sources.length - sourcesShown
  return (
    <div className="border-t border-line">
      <DataTable
        label="Sources"
        columns={sourceColumns}
        rows={sources.slice(0, sourcesShown)}
        keyOf={({ name, kind }) => `${name} ${kind}`}
      />
      {smaller > 0 ? (
        <p className="border-t border-line px-4 py-2.5 text-muted">
          {smaller === 1 ? "1 smaller source is" : `${formatNumber(smaller)} smaller sources are`} available through the
          API.
        </p>
      ) : null}
    </div>
  )
}

const sourceColumns: Column<DmarcSummary["sources"][number]>[] = [
  {
    head: "Source",
    cellClassName: "[overflow-wrap:anywhere]",
    cell: ({ name, kind }) => (
      <>
        <code className="block">{name}</code>
        <Pill tone={kinds[kind].tone} className="mt-1 sm:hidden">
          {kinds[kind].word}
        </Pill>
      </>
    ),
  },
  {
    head: "Kind",
    from: "sm",
    width: "w-36",
    cell: ({ kind }) => (
      <Pill tone={kinds[kind].tone} tip={kinds[kind].tip} inTable>
        {kinds[kind].word}
      </Pill>
    ),
  },
  {
    head: "Addresses",
    from: "sm",
    width: "w-28",
    numeric: true,
    muted: true,
    cell: ({ addresses }) => formatNumber(addresses),
  },
  { head: "Messages", width: "w-28", numeric: true, cell: ({ messages }) => formatNumber(messages) },
  {
    head: "Passed",
    from: "sm",
    width: "w-28",
    numeric: true,
    muted: true,
    cell: ({ messages, aligned }) => percent(messages === 0 ? 0 : aligned / messages),
  },
]

/** Rounded down: 99.99% is not all. */
function percent(share: number): string {
  return `${Math.floor(share * 1_000) / 10}%`
}

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
      {summary.data ? <TlsFigures summary={summary.data} /> : <NotLoaded read={summary} label="reports" rows={3} />}
      {mayWrite ? (
        <Suspense fallback={<div className="h-20 border-t border-line" />}>
          <ReportUpload projectId={projectId} domainId={domainId} kind="tls" />
        </Suspense>
      ) : null}
    </Card>
  )
}

function TlsFigures({ summary: { reports, reporters, succeeded, failed, failures } }: { summary: TlsSummary }) {
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
          hint={`${formatNumber(succeeded)} of ${countText(all, "session")}`}
        />
        <Stat label="Failed" value={formatNumber(failed)} hint={failed === 1 ? "session" : "sessions"} />
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
            columns={failureColumns}
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

const failureColumns: Column<Failure>[] = [
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
