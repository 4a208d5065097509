"use client"

import { Upload } from "lucide-react"
import { lazy, Suspense } from "react"
import { useMay } from "@/components/access/powers"
import { Button } from "@/components/ui/button"
import { Dialog } from "@/components/ui/dialog"
import { Skeleton } from "@/components/ui/skeleton"

const loadForm = () => import("@/components/suppressions/import-form")
const ImportForm = lazy(loadForm)

export function ImportSuppressions({ projectId }: { projectId: string }) {
  if (!useMay("suppressions:write")) return null
  return (
    <Dialog
      trigger={
        <Button icon={<Upload />} onPointerEnter={() => void loadForm()} onFocus={() => void loadForm()}>
          Import
        </Button>
      }
      title="Import suppressions"
      description="Import your previous provider's list, so that people who unsubscribed get no more email."
    >
      <Suspense fallback={<Skeleton className="h-60" />}>
        <ImportForm projectId={projectId} />
      </Suspense>
    </Dialog>
  )
}
