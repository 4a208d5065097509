"use client"

import { useRouter } from "next/navigation"
import { Button } from "@/components/ui/button"
import { Card, CardHeader } from "@/components/ui/card"
import { ConfirmDialog } from "@/components/ui/confirm-dialog"
import { toast } from "@/components/ui/toast"
import { useDeleteWebhook, type Webhook } from "@/components/webhooks/queries"

export function DeleteWebhook({ projectId, webhook }: { projectId: string; webhook: Webhook }) {
  const router = useRouter()
  const remove = useDeleteWebhook()
  async function confirmed() {
    await remove.mutateAsync({ params: { projectId, endpointId: webhook.id } })
    router.push(`/projects/${projectId}/webhooks`)
    toast.success(`${webhook.name} was deleted`)
  }
  return (
    <Card aria-label="Delete webhook">
      <CardHeader
        title="Delete webhook"
        description="Its secret and delivery history are deleted with it."
        actions={
          <ConfirmDialog
            trigger={<Button className="text-bad">Delete webhook</Button>}
            title={`Delete ${webhook.name}?`}
            action="Delete webhook"
            typeName={webhook.name}
            onConfirm={confirmed}
          >
            The endpoint gets no more events, and waiting deliveries are not retried. The signing secret and the
            delivery history are deleted. Emails and their events are kept. This cannot be undone.
          </ConfirmDialog>
        }
      />
    </Card>
  )
}
