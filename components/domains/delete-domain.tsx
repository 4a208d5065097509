"use client"

import { useRouter } from "next/navigation"
import { useCall } from "@/components/api/use-call"
import { Button } from "@/components/ui/button"
import { Card, CardHeader } from "@/components/ui/card"
import { ConfirmDialog } from "@/components/ui/confirm-dialog"
import { toast } from "@/components/ui/toast"
import type { Domain } from "./types"

export function DeleteDomain({ domain, projectId }: { domain: Domain; projectId: string }) {
  const router = useRouter()
  const remove = useCall("DELETE /v1/projects/{projectId}/domains/{domainId}", ["GET /v1/projects/{projectId}/domains"])

  async function confirmed() {
    await remove.mutateAsync({ params: { projectId, domainId: domain.id } })
    router.push(`/projects/${projectId}/domains`)
    toast.success(`${domain.domain} was deleted`, {
      description: "Its records can be removed from the DNS after a few days.",
    })
  }

  return (
    <Card aria-label="Delete domain">
      <CardHeader
        title="Delete domain"
        description={`Mail from ${domain.domain} is refused from then on. Emails, contacts and suppressions stay.`}
        actions={
          <ConfirmDialog
            trigger={<Button variant="danger">Delete domain</Button>}
            title={`Delete ${domain.domain}?`}
            action="Delete domain"
            typeName={domain.domain}
            onConfirm={confirmed}
          >
            <p>
              Its DKIM keys are destroyed and mail from any address at {domain.domain} is refused at once, scheduled
              mail included. If you add it again, it gets new keys and you publish new records.
            </p>
          </ConfirmDialog>
        }
      />
    </Card>
  )
}
