"use client"

import { useCall } from "@/components/api/use-call"
import { Button } from "@/components/ui/button"
import { ConfirmDialog } from "@/components/ui/confirm-dialog"
import { Hint } from "@/components/ui/hint"
import { toast } from "@/components/ui/toast"

/** Beside the list of scheduled emails: takes all of them back at once. */
export function CancelScheduled({ projectId }: { projectId: string }) {
  const cancel = useCall("DELETE /v1/emails", ["GET /v1/projects/{projectId}/emails"])
  async function cancelAll() {
    const { cancelled } = await cancel.mutateAsync({ query: { projectId } })
    toast.success(cancelled === 1 ? "One email cancelled" : `${cancelled.toLocaleString("en")} emails cancelled`)
  }

  return (
    <Hint
      alone
      action={
        <ConfirmDialog
          trigger={<Button>Cancel all scheduled</Button>}
          title="Cancel all scheduled emails?"
          action="Cancel all"
          onConfirm={cancelAll}
        >
          No scheduled email of this project will be sent. Their records remain.
        </ConfirmDialog>
      }
    >
      These emails wait for their time and can still be taken back.
    </Hint>
  )
}
