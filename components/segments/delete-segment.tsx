"use client"

import { useRouter } from "next/navigation"
import { useMay } from "@/components/access/powers"
import { useCall } from "@/components/data/use-call"
import { Button } from "@/components/ui/button"
import { Card, CardHeader } from "@/components/ui/card"
import { ConfirmDialog } from "@/components/ui/confirm-dialog"
import { toast } from "@/components/ui/toast"
import { segmentsRoute, type Segment } from "@/components/segments/queries"

export function DeleteSegment({ projectId, segment }: { projectId: string; segment: Segment }) {
  const may = useMay("contacts:write")
  const router = useRouter()
  const remove = useCall("DELETE /v1/projects/{projectId}/segments/{segmentId}", [segmentsRoute])
  if (!may) return null

  async function confirmed() {
    await remove.mutateAsync({ params: { projectId, segmentId: segment.id } })
    router.push(`/projects/${projectId}/segments`)
    toast.success(`${segment.name} was deleted`, { description: "Its contacts are still there." })
  }

  return (
    <Card aria-label="Delete segment">
      <CardHeader
        title="Delete segment"
        description="Its contacts stay."
        actions={
          <ConfirmDialog
            trigger={<Button variant="outlined">Delete segment</Button>}
            title={`Delete ${segment.name}?`}
            action="Delete segment"
            typeName={segment.name}
            onConfirm={confirmed}
          >
            <p>
              Its memberships are deleted, including manual additions and removals. Sends to its id are refused. Its
              contacts remain.
            </p>
          </ConfirmDialog>
        }
      />
    </Card>
  )
}
