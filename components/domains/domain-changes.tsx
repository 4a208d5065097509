"use client"

import { lazy, Suspense, useState } from "react"
import { Button } from "@/components/ui/button"
import { CardHeader } from "@/components/ui/card"
import { Dialog } from "@/components/ui/dialog"
import { Skeleton } from "@/components/ui/loading"
import { trackingHost } from "@/components/domains/records"
import { type Domain, domainQuery } from "@/components/domains/queries"
import { useQueryClient } from "@tanstack/react-query"
import { useCall } from "@/components/data/use-call"
import { ConfirmDialog } from "@/components/ui/confirm-dialog"
import { toast } from "@/components/ui/toast"

const loadForm = () => import("@/components/domains/domain-forms").then((loaded) => ({ default: loaded.HostNamesForm }))
const HostNamesForm = lazy(loadForm)

type HostNamesProps = { domain: Domain; projectId: string }

/** The row that changes the names of the MAIL FROM domain and the tracking host, while nothing was sent yet. */
export function HostNamesCard({ domain, projectId }: HostNamesProps) {
  const [open, setOpen] = useState(false)
  return (
    <CardHeader
      title="Host names"
      description={
        <>
          Bounces return to <code>{domain.mailFromDomain}</code>, links lead to <code>{trackingHost(domain)}</code>.
          Both can change until the domain is verified.
        </>
      }
      actions={
        <Dialog
          open={open}
          onOpenChange={setOpen}
          trigger={
            <Button onPointerEnter={() => void loadForm()} onFocus={() => void loadForm()}>
              Change names
            </Button>
          }
          title="Change host names"
          description={`Both are subdomains of ${domain.domain}. Their records change with them.`}
        >
          <Suspense fallback={<Skeleton className="h-44" />}>
            <HostNamesForm domain={domain} projectId={projectId} done={() => setOpen(false)} />
          </Suspense>
        </Dialog>
      }
    />
  )
}

/** The row that changes the signing key: possible once the standby is published. */
export function RotateDkim({ domain, projectId }: { domain: Domain; projectId: string }) {
  const client = useQueryClient()
  const rotate = useCall("POST /v1/projects/{projectId}/domains/{domainId}/rotate-dkim", [
    "GET /v1/projects/{projectId}/domains/{domainId}/diagnosis",
  ])
  const [, standby] = domain.verificationRecords.dkim
  const ready = standby?.status === "verified"

  async function confirmed() {
    const { queryKey } = domainQuery(projectId, domain.id)
    const rotated = await rotate.mutateAsync({ params: { projectId, domainId: domain.id } })
    await client.cancelQueries({ queryKey })
    client.setQueryData(queryKey, rotated)
    toast.success("The standby key signs from now on", {
      description: "Leave the old key's record in the DNS for 7 days. The record shows when to replace it.",
    })
  }

  return (
    <CardHeader
      title="Rotate DKIM key"
      description={
        ready
          ? "The standby key signs at once, without a DNS change."
          : standby?.retired
            ? "Possible again once the new value of the idle key, the second DKIM record, is published and verified."
            : "Possible once the standby key, the second DKIM record, is published and verified."
      }
      actions={
        <ConfirmDialog
          trigger={<Button disabled={!ready}>Rotate key</Button>}
          title={`Rotate the DKIM key of ${domain.domain}?`}
          action="Rotate key"
          tone="primary"
          onConfirm={confirmed}
        >
          <p>
            New email is signed with the standby key. The old private key is destroyed at once and cannot be restored;
            email that is already composed keeps its signature.
          </p>
          <p className="mt-2">
            Leave the old key&rsquo;s record in the DNS for 7 days, then replace it with the new value shown on this
            page. Until then you cannot rotate again.
          </p>
        </ConfirmDialog>
      }
    />
  )
}
