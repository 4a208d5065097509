"use client"

import { useRouter } from "next/navigation"
import { Button } from "@/components/ui/button"
import { Card, CardHeader } from "@/components/ui/card"
import { ConfirmDialog } from "@/components/ui/confirm-dialog"
import { toast } from "@/components/ui/toast"
import { useDeleteContact, type Contact } from "@/components/contacts/queries"

export function DeleteContact({ projectId, contact }: { projectId: string; contact: Contact }) {
  const router = useRouter()
  const remove = useDeleteContact()
  async function confirmed() {
    await remove.mutateAsync({ params: { projectId, contactId: contact.id } })
    router.push(`/projects/${projectId}/contacts`)
    toast.success(`${contact.email} was deleted`)
  }
  return (
    <Card aria-label="Delete contact">
      <CardHeader
        title="Delete contact"
        description="Its properties, memberships and preferences are deleted too. Emails and suppressions are kept."
        actions={
          <ConfirmDialog
            trigger={<Button variant="outlined">Delete contact</Button>}
            title={`Delete ${contact.email}?`}
            action="Delete contact"
            typeName={contact.email}
            onConfirm={confirmed}
          >
            This cannot be undone. An unsubscribe remains in force: if the address is added again, it starts as
            unsubscribed.
          </ConfirmDialog>
        }
      />
    </Card>
  )
}
