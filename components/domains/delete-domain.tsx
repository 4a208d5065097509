"use client"

import { dynamic } from "@/components/ui/dynamic"
import { useRouter } from "next/navigation"
import { useCall } from "@/components/data/use-call"
import { Button } from "@/components/ui/button"
import { Card, CardHeader } from "@/components/ui/card"
import { ConfirmDialog } from "@/components/ui/confirm-dialog"
import { Skeleton } from "@/components/ui/skeleton"
import { toast } from "@/components/ui/toast"
import type { Domain } from "@/components/domains/types"

const PendingMail = dynamic(() => import("@/components/domains/pending-mail").then((module) => module.PendingMail), {
  ssr: false,
  loading: () => <Skeleton className="mt-2 h-10" />,
})

export function DeleteDomain({ domain, projectId }: { domain: Domain; projectId: string }) {
  const router = useRouter()
  const remove = useCall("DELETE /v1/projects/{projectId}/domains/{domainId}", ["GET /v1/projects/{projectId}/domains"])

  async function confirmed() {
    await remove.mutateAsync({ params: { projectId, domainId: domain.id } })
    router.push(`/projects/${projectId}/domains`)
    toast.success(`${domain.domain} was deleted`, {
      description: "Remove its DNS records after a few days, when its last email has been sent.",
    })
  }

  return (
    <Card aria-label="Delete domain">
      <CardHeader
        title="Delete domain"
        description={`New email from ${domain.domain} is refused. Accepted emails, contacts and suppressions are kept.`}
        actions={
          <ConfirmDialog
            trigger={<Button variant="outlined">Delete domain</Button>}
            title={`Delete ${domain.domain}?`}
            action="Delete domain"
            typeName={domain.domain}
            onConfirm={confirmed}
          >
            <p>
              New email from any address at {domain.domain} is refused at once. If you add the domain again, it gets new
              keys, and you must publish new records.
            </p>
            <PendingMail projectId={projectId} domainId={domain.id} />
          </ConfirmDialog>
        }
      />
    </Card>
  )
}
