"use client"

import { Button } from "@/components/ui/button"
import { ConfirmDialog } from "@/components/ui/confirm-dialog"
import { toast } from "@/components/ui/toast"
import { useRevokeKey } from "@/components/api-keys/queries"

export function RevokeKey({ projectId, keyId, name }: { projectId: string; keyId: string; name: string }) {
  const revoke = useRevokeKey()
  async function confirm() {
    await revoke.mutateAsync({ params: { projectId, keyId } })
    toast.success("The key is revoked", { description: "Requests with it are refused within a second." })
  }
  return (
    <ConfirmDialog trigger={<Button>Revoke</Button>} title={`Revoke ${name}?`} action="Revoke key" onConfirm={confirm}>
      Every program that uses it is refused from the next second on. This cannot be undone: make a new key and put it in
      its place first. Emails sent with it, and its request log, stay.
    </ConfirmDialog>
  )
}
