"use client"

import { formatNumber } from "@/lib/platform/format"
import { May } from "@/components/access/powers"
import { useCall } from "@/components/data/use-call"
import type { Broadcast } from "@/components/broadcasts/queries"
import { Button } from "@/components/ui/button"
import { ConfirmDialog } from "@/components/ui/confirm-dialog"
import { toast } from "@/components/ui/toast"
import { nextStatus } from "@/lib/broadcasts/rules"

const reads = [
  "GET /v1/projects/{projectId}/broadcasts",
  "GET /v1/projects/{projectId}/broadcasts/{broadcastId}",
] as const

/** What the state of a broadcast allows: send, pause, resume, cancel. */
export function BroadcastActions({ projectId, broadcast }: { projectId: string; broadcast: Broadcast }) {
  const { id, status, subject, counts } = broadcast
  const input = { params: { projectId, broadcastId: id } }
  const send = useCall("POST /v1/projects/{projectId}/broadcasts/{broadcastId}/send", reads)
  const pause = useCall("POST /v1/projects/{projectId}/broadcasts/{broadcastId}/pause", reads)
  const resume = useCall("POST /v1/projects/{projectId}/broadcasts/{broadcastId}/resume", reads)
  const cancel = useCall("POST /v1/projects/{projectId}/broadcasts/{broadcastId}/cancel", reads)
  const may = (step: "send" | "pause" | "resume" | "cancel") => nextStatus(status, step) !== null
  const failed = (error: Error) => void toast.error(error.message)

  return (
    <May permission="emails:send">
      {may("pause") ? (
        <Button loading={pause.isPending} onClick={() => pause.mutate(input, { onError: failed })}>
          Pause
        </Button>
      ) : null}
      {may("cancel") ? (
        <ConfirmDialog
          trigger={<Button>Cancel broadcast</Button>}
          title={`Cancel “${subject}”?`}
          action="Cancel broadcast"
          onConfirm={async () => void (await cancel.mutateAsync(input))}
        >
          {formatNumber(counts.accepted)} emails already accepted are still sent. No one else gets it, and it cannot be
          resumed.
        </ConfirmDialog>
      ) : null}
      {may("resume") ? (
        <Button variant="primary" loading={resume.isPending} onClick={() => resume.mutate(input, { onError: failed })}>
          Resume
        </Button>
      ) : null}
      {may("send") ? (
        <ConfirmDialog
          trigger={<Button variant="primary">Send now</Button>}
          title={`Send “${subject}” now?`}
          action="Send broadcast"
          tone="primary"
          onConfirm={async () => void (await send.mutateAsync(input))}
        >
          Everyone in its audience gets it, except people who are unsubscribed or suppressed.
        </ConfirmDialog>
      ) : null}
    </May>
  )
}
