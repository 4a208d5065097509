"use client"

import { useQuery } from "@tanstack/react-query"
import { dynamic } from "@/components/late-parts/dynamic"
import { problemOf } from "@/components/data/call"
import { Button } from "@/components/ui/button"
import { Card, CardHeader } from "@/components/ui/card"
import { ErrorState } from "@/components/ui/error-state"
import { Hint } from "@/components/ui/hint"
import { RelativeTime } from "@/components/ui/relative-time"
import { SkeletonRows } from "@/components/ui/skeleton"
import { WhenSeen } from "@/components/late-parts/when-seen"
import { sandboxOf } from "@/lib/domains/registration/sandbox-rules"
import { type Diagnosis, diagnosisQuery, type Domain } from "@/components/domains/queries"
import { recordGroups, standbyOf } from "@/components/domains/records"

/** Comes with the first answer. */
const DiagnosisTable = dynamic(
  () => import("@/components/domains/diagnosis-table").then((module) => module.DiagnosisTable),
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
