"use client"

import { lazy, Suspense } from "react"
import { CheckLines, checkLines } from "@/components/domains/checks"
import { type Domain, type Diagnosis, diagnosisQuery } from "@/components/domains/queries"
import { standbyOf, recordGroups } from "@/components/domains/records"
import { Button } from "@/components/ui/button"
import { Card, CardHeader } from "@/components/ui/card"
import { Dialog } from "@/components/ui/dialog"
import { RelativeTime } from "@/components/ui/relative-time"
import { SkeletonRows } from "@/components/ui/loading"
import { useQuery } from "@tanstack/react-query"
import { dynamic, WhenSeen } from "@/components/late-parts/dynamic"
import { problemOf } from "@/components/data/call"
import { ErrorState } from "@/components/ui/error-state"
import { Hint } from "@/components/ui/callout"
import { sandboxOf } from "@/lib/domains/rules"

/** Lines shown; the rest is long ago. */
const linesShown = 12

/** The most checks in a domain's response. */
const checksShown = 10

/** The history of DNS checks. */
export function ChecksCard({ domain, projectId }: { domain: Domain; projectId: string }) {
  const checks = domain.checks ?? []
  const lines = checkLines(checks, checks.length >= checksShown, standbyOf(domain)).slice(0, linesShown)
  return (
    <Card aria-label="Checks">
      <CardHeader
        title="Checks"
        actions={
          domain.checkedAt ? (
            <>
              <span>
                Last checked <RelativeTime at={domain.checkedAt} />
              </span>
              {lines.length > 0 ? <AllChecks domain={domain} projectId={projectId} /> : null}
            </>
          ) : (
            <span>Not checked yet</span>
          )
        }
      />
      {lines.length > 0 ? (
        <CheckLines lines={lines} />
      ) : (
        <p className="px-4 py-3 text-muted">
          {domain.checkedAt
            ? "None of the records were found yet."
            : "The first check runs a few seconds after the domain is added."}
        </p>
      )}
    </Card>
  )
}

const loadHistory = () =>
  import("@/components/domains/checks-results").then((loaded) => ({ default: loaded.ChecksHistory }))
const ChecksHistory = lazy(loadHistory)

type AllChecksProps = { domain: Domain; projectId: string }

/** The whole history, page by page. */
function AllChecks({ domain, projectId }: AllChecksProps) {
  return (
    <Dialog
      trigger={
        <Button size="small" onPointerEnter={() => void loadHistory()} onFocus={() => void loadHistory()}>
          All checks
        </Button>
      }
      title={`Checks of ${domain.domain}`}
      description="Checks that found a change, and checks you ran. The last 200 are kept."
      size="large"
    >
      <Suspense fallback={<SkeletonRows rows={6} />}>
        <ChecksHistory domain={domain} projectId={projectId} />
      </Suspense>
    </Dialog>
  )
}

/** Comes with the first answer. */
const DiagnosisTable = dynamic(
  () => import("@/components/domains/checks-results").then((module) => module.DiagnosisTable),
  { ssr: false },
)

/** What each name server answers for each record: queried on request, and by itself where records are missing. */
export function DiagnosisCard({ domain, projectId }: { domain: Domain; projectId: string }) {
  const { data, error, refetch, isFetching } = useQuery({ ...diagnosisQuery(projectId, domain.id), enabled: false })
  const ask = () => void refetch()
  return (
    <Card aria-label="Name servers">
      <CardHeader
        title="Name servers"
        description={servers(domain.nameServers ?? data?.nameServers ?? [])}
        actions={
          <>
            {data ? (
              <span>
                Asked <RelativeTime at={data.at} />
              </span>
            ) : null}
            <Button loading={isFetching} onClick={ask}>
              {isFetching ? "Asking …" : data ? "Ask again" : "Ask each server"}
            </Button>
          </>
        }
      />
      {error ? (
        <Failed error={error} retry={ask} retrying={isFetching} />
      ) : data ? (
        <Answers diagnosis={data} standby={standbyOf(domain)} />
      ) : asksByItself(domain) ? (
        <Unasked domain={domain} projectId={projectId} />
      ) : null}
    </Card>
  )
}

/** Before this installation can send, the records are not to be published. */
function asksByItself(domain: Domain): boolean {
  return domain.status !== "verified" && sandboxOf(domain) !== "captured"
}

/** The place of the answer. It is asked for once it is seen, because it costs the name servers as much as a check. */
function Unasked({ domain, projectId }: { domain: Domain; projectId: string }) {
  const rows = recordGroups(domain).flatMap(({ records }) => records).length
  return (
    <WhenSeen placeholder={<div style={{ height: rows * rowPixels }} />}>
      <Asking domainId={domain.id} projectId={projectId} rows={rows} />
    </WhenSeen>
  )
}

const rowPixels = 42

function Asking({ domainId, projectId, rows }: { domainId: string; projectId: string; rows: number }) {
  useQuery(diagnosisQuery(projectId, domainId))
  return <SkeletonRows rows={rows} label="Asking the name servers" />
}

function Answers({ diagnosis, standby }: { diagnosis: Diagnosis; standby: string | undefined }) {
  return (
    <>
      {diagnosis.notes.map(({ code, record, message, fix }) => (
        <Hint key={`${code} ${record}`} tone="warn">
          {message} {fix}
        </Hint>
      ))}
      <DiagnosisTable records={diagnosis.records} standby={standby} />
    </>
  )
}

function Failed({ error, retry, retrying }: { error: Error; retry: () => void; retrying: boolean }) {
  const { title, detail, requestId } = problemOf(error)
  return <ErrorState message={detail ?? title} requestId={requestId} onRetry={retry} retrying={retrying} />
}

function servers(names: string[]): string {
  const what = "The answer of each server for each record, right now"
  return names.length === 0 ? `${what}.` : `${what}: ${names.join(", ")}.`
}
