"use client"

import { lazy, Suspense, useState } from "react"
import { Button } from "@/components/ui/button"
import { Dialog } from "@/components/ui/dialog"
import { Skeleton } from "@/components/ui/skeleton"
import type { Webhook } from "@/components/webhooks/queries"

const loadForm = () => import("@/components/webhooks/replay-range-form")
const ReplayRangeForm = lazy(loadForm)

export function ReplayRange({ projectId, webhook }: { projectId: string; webhook: Webhook }) {
  const [open, setOpen] = useState(false)
  return (
    <Dialog
      trigger={
        <Button size="small" onPointerEnter={() => void loadForm()} onFocus={() => void loadForm()}>
          Replay a range
        </Button>
      }
      open={open}
      onOpenChange={setOpen}
      title="Replay a range"
      description="Sends the events of a time range again, each once, with the same id and body."
    >
      <Suspense fallback={<Skeleton className="h-80" />}>
        <ReplayRangeForm projectId={projectId} webhookId={webhook.id} onDone={() => setOpen(false)} />
      </Suspense>
    </Dialog>
  )
}
