"use client"

import { useRouter } from "next/navigation"
import { useCall, useOneAtATime } from "@/components/data/use-call"
import { useMoment } from "@/components/data/clock-time"
import { Button } from "@/components/ui/button"
import { toast } from "@/components/ui/toast"

type DeletedProjectProps = { projectId: string; name: string; removedAt: string }

/** All there is to see of a deleted project, for its owners. */
export function DeletedProject({ projectId, name, removedAt }: DeletedProjectProps) {
  const router = useRouter()
  const moment = useMoment()
  const restore = useCall("POST /v1/projects/{projectId}/restore", ["GET /v1/session"])

  const act = useOneAtATime(async () => {
    try {
      await restore.mutateAsync({ params: { projectId } })
      router.refresh()
      toast.success(`${name} was restored`)
    } catch (error) {
      toast.error(`${name} was not restored`, { description: error instanceof Error ? error.message : undefined })
    }
  })

  return (
    <div className="grid min-h-[60dvh] place-content-center justify-items-center py-10 text-center">
      <h1 className="max-w-full text-2xl font-semibold tracking-[-0.01em] [overflow-wrap:anywhere] text-balance">
        {name} is deleted
      </h1>
      <p className="mt-2 max-w-110 text-balance text-muted">
        It will be removed for good {moment(removedAt)}, with all its data. Until then nothing is sent, and its API keys
        are refused.
      </p>
      <p className="mt-2 max-w-110 text-balance text-muted">
        If you restore it, everything is as before, and waiting email is sent unless its deadline has passed.
      </p>
      <Button variant="primary" className="mt-5" loading={restore.isPending} onClick={() => void act()}>
        Restore project
      </Button>
    </div>
  )
}
