"use client"

import { Trash2 } from "lucide-react"
import { useMay } from "@/components/access/powers"
import { problemOf } from "@/components/data/problem"
import { useCall } from "@/components/data/use-call"
import { ConfirmDialog } from "@/components/ui/confirm-dialog"
import { IconButton } from "@/components/ui/icon-button"
import { toast, undoMs } from "@/components/ui/toast"
import { suppressionsRoute, type Suppression } from "@/components/suppressions/queries"
import { reasonWords } from "@/components/suppressions/reasons"

/** Says what is risked before mail may go to the address again. */
export function RemoveSuppression({ projectId, suppression }: { projectId: string; suppression: Suppression }) {
  const may = useMay("suppressions:write")
  const remove = useCall("DELETE /v1/projects/{projectId}/suppressions/{email}", [suppressionsRoute])
  const add = useCall("POST /v1/projects/{projectId}/suppressions", [suppressionsRoute])
  const { email, reason } = suppression
  if (!may) return null

  async function confirmed() {
    await remove.mutateAsync({ params: { projectId, email } })
    toast.success(`${email} was removed from the list`, {
      description: "It can get email again.",
      duration: undoMs,
      action: { label: "Undo", onClick: () => void putBack() },
    })
  }
  async function putBack() {
    try {
      await add.mutateAsync({ params: { projectId }, body: { email } })
      toast.success(`${email} is on the list again`, { description: "With the reason “manual”." })
    } catch (error) {
      toast.error(`${email} was not added back`, { description: problemOf(error).detail })
    }
  }

  return (
    <ConfirmDialog
      trigger={<IconButton label={`Remove ${email}`} icon={<Trash2 />} />}
      title={`Allow email to ${email} again?`}
      action="Remove from list"
      onConfirm={confirmed}
    >
      <p>{reasonWords(reason).removal}</p>
    </ConfirmDialog>
  )
}
