"use client"

import { useQuery } from "@tanstack/react-query"
import { dynamic } from "@/components/ui/dynamic"
import { useState } from "react"
import { problemOf } from "@/components/api/problem"
import { Button } from "@/components/ui/button"
import { Card, CardHeader } from "@/components/ui/card"
import { ErrorState } from "@/components/ui/error-state"
import { Hint } from "@/components/ui/hint"
import { RelativeTime } from "@/components/ui/relative-time"
import { diagnosisQuery } from "@/components/domains/queries"
import type { Diagnosis, Domain } from "@/components/domains/types"

/** Comes with the first answer. */
const DiagnosisTable = dynamic(
  () => import("@/components/domains/diagnosis-table").then((module) => module.DiagnosisTable),
  { ssr: false },
)

/** What each name server answers for each record, queried on request. */
export function DiagnosisCard({ domain, projectId }: { domain: Domain; projectId: string }) {
  const [asked, setAsked] = useState(false)
  const { data, error, refetch, isFetching } = useQuery({ ...diagnosisQuery(projectId, domain.id), enabled: asked })
  const ask = () => (asked ? void refetch() : setAsked(true))
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
      {error ? <Failed error={error} retry={ask} retrying={isFetching} /> : data ? <Answers diagnosis={data} /> : null}
    </Card>
  )
}

function Answers({ diagnosis }: { diagnosis: Diagnosis }) {
  return (
    <>
      {diagnosis.notes.map(({ code, record, message, fix }) => (
        <Hint key={`${code} ${record}`} tone="warn">
          {message} {fix}
        </Hint>
      ))}
      <DiagnosisTable records={diagnosis.records} />
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
