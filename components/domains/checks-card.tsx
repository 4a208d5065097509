"use client"

import { Card, CardHeader } from "@/components/ui/card"
import { RelativeTime } from "@/components/ui/relative-time"
import { AllChecks } from "@/components/domains/all-checks"
import { CheckLines } from "@/components/domains/check-lines"
import { checkLines } from "@/components/domains/checks"
import { standbyOf } from "@/components/domains/records"
import type { Domain } from "@/components/domains/types"

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
