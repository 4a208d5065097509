"use client"

import { Button } from "@/components/ui/button"
import { ConfirmDialog } from "@/components/ui/confirm-dialog"
import { toast } from "@/components/ui/toast"
import { useUpdateWebhook, type Webhook } from "@/components/webhooks/queries"

/** Pauses a webhook, or enables it again. */
export function PauseWebhook({ projectId, webhook }: { projectId: string; webhook: Webhook }) {
  const update = useUpdateWebhook()
  const params = { projectId, endpointId: webhook.id }
  async function pause() {
    await update.mutateAsync({ params, body: { enabled: false } })
    toast.success("Paused")
  }
  async function enable() {
    try {
      await update.mutateAsync({ params, body: { enabled: true } })
      toast.success("Enabled", { description: "It receives events from now on." })
    } catch (error) {
      toast.error("It was not enabled", { description: error instanceof Error ? error.message : undefined })
    }
  }
  if (!webhook.enabled)
    return (
      <Button loading={update.isPending} onClick={() => void enable()}>
        Enable
      </Button>
    )
  return (
    <ConfirmDialog
      trigger={<Button>Pause</Button>}
      title={`Pause ${webhook.name}?`}
      action="Pause webhook"
      tone="primary"
      onConfirm={pause}
    >
      Events that happen while it is paused are not delivered later. Waiting deliveries are cancelled; you can replay
      them.
    </ConfirmDialog>
  )
}
