"use client"

import { lazy, Suspense } from "react"
import { Button } from "@/components/ui/button"
import { Dialog } from "@/components/ui/dialog"
import { SkeletonRows } from "@/components/ui/skeleton"
import type { Domain } from "@/components/domains/types"

const loadHistory = () => import("@/components/domains/checks-history")
const ChecksHistory = lazy(loadHistory)

type AllChecksProps = { domain: Domain; projectId: string }

/** The whole history, page by page. */
export function AllChecks({ domain, projectId }: AllChecksProps) {
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
