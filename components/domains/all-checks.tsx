"use client"

import { useQuery } from "@tanstack/react-query"
import { problemOf } from "@/components/api/problem"
import { Button } from "@/components/ui/button"
import { Dialog } from "@/components/ui/dialog"
import { ErrorState } from "@/components/ui/error-state"
import { SkeletonRows } from "@/components/ui/skeleton"
import { LookLines } from "./look-lines"
import { lookLines } from "./looks"
import { checksPerPage, checksQuery } from "./queries"
import type { Domain } from "./types"

type AllChecksProps = { domain: Domain; projectId: string }

/** The history as far back as one page of the API reaches. */
export function AllChecks({ domain, projectId }: AllChecksProps) {
  return (
    <Dialog
      trigger={<Button size="small">All checks</Button>}
      title={`Checks of ${domain.domain}`}
      description={`The last ${checksPerPage} looks that changed something or were asked for.`}
      size="large"
    >
      <History domain={domain} projectId={projectId} />
    </Dialog>
  )
}

function History({ domain, projectId }: AllChecksProps) {
  const { data, error, refetch, isFetching } = useQuery(checksQuery(projectId, domain.id))
  if (error) {
    const { title, detail, requestId } = problemOf(error)
    return (
      <ErrorState
        message={detail ?? title}
        requestId={requestId}
        onRetry={() => void refetch()}
        retrying={isFetching}
      />
    )
  }
  if (!data) return <SkeletonRows rows={6} />
  return (
    <div className="-mx-5 max-h-[60vh] overflow-y-auto" tabIndex={0} role="region" aria-label="Checks">
      <LookLines lines={lookLines(data.data)} />
    </div>
  )
}
