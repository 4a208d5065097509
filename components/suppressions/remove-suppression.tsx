"use client"

import { Trash2 } from "lucide-react"
import { useMay } from "@/components/access/powers"
import { useCall } from "@/components/api/use-call"
import { ConfirmDialog } from "@/components/ui/confirm-dialog"
import { IconButton } from "@/components/ui/icon-button"
import { toast } from "@/components/ui/toast"
import { suppressionsRoute, type Suppression } from "@/components/suppressions/queries"
import { reasonWords } from "@/components/suppressions/reasons"

/** Says what is risked before mail may go to the address again. */
export function RemoveSuppression({ projectId, suppression }: { projectId: string; suppression: Suppression }) {
  const may = useMay("suppressions:write")
  const remove = useCall("DELETE /v1/projects/{projectId}/suppressions/{email}", [suppressionsRoute])
  const { email, reason } = suppression
  if (!may) return null

  async function confirmed() {
    await remove.mutateAsync({ params: { projectId, email } })
    toast.success(`${email} was removed from the list`, { description: "Mail may go there again." })
  }

  return (
    <ConfirmDialog
      trigger={<IconButton label={`Remove ${email}`} icon={<Trash2 />} />}
      title={`Allow mail to ${email} again?`}
      action="Remove from list"
      onConfirm={confirmed}
    >
      <p>{reasonWords(reason).removal}</p>
    </ConfirmDialog>
  )
}
