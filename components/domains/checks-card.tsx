"use client"

import { lazy, Suspense } from "react"
import { CheckLines } from "@/components/domains/check-lines"
import { checkLines } from "@/components/domains/checks"
import type { Domain } from "@/components/domains/queries"
import { standbyOf } from "@/components/domains/records"
import { Button } from "@/components/ui/button"
import { Card, CardHeader } from "@/components/ui/card"
import { Dialog } from "@/components/ui/dialog"
import { RelativeTime } from "@/components/ui/relative-time"
import { SkeletonRows } from "@/components/ui/skeleton"

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

const loadHistory = () => import("@/components/domains/checks-history")
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
