"use client"

import { Card, CardHeader } from "@/components/ui/card"
import { RelativeTime } from "@/components/ui/relative-time"
import { AllChecks } from "@/components/domains/all-checks"
import { LookLines } from "@/components/domains/look-lines"
import { lookLines } from "@/components/domains/looks"
import type { Domain } from "@/components/domains/types"

/** Lines shown; the rest is long ago. */
const linesShown = 12

/** The most looks that a domain's answer holds. */
const looksShown = 10

/** The history of looks at the DNS. */
export function LooksCard({ domain, projectId }: { domain: Domain; projectId: string }) {
  const looks = domain.looks ?? []
  const lines = lookLines(looks, looks.length >= looksShown).slice(0, linesShown)
  return (
    <Card aria-label="Checks">
      <CardHeader
        title="Checks"
        actions={
          domain.checkedAt ? (
            <>
              <span>
                Last looked <RelativeTime at={domain.checkedAt} />
              </span>
              {lines.length > 0 ? <AllChecks domain={domain} projectId={projectId} /> : null}
            </>
          ) : (
            <span>Not looked yet</span>
          )
        }
      />
      {lines.length > 0 ? (
        <LookLines lines={lines} />
      ) : (
        <p className="px-4 py-3 text-muted">
          {domain.checkedAt
            ? "None of the records was found yet."
            : "The first check comes a few seconds after the domain was added."}
        </p>
      )}
    </Card>
  )
}
