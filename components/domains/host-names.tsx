"use client"

import { lazy, Suspense, useState } from "react"
import { Button } from "@/components/ui/button"
import { CardHeader } from "@/components/ui/card"
import { Dialog } from "@/components/ui/dialog"
import { Skeleton } from "@/components/ui/skeleton"
import { trackingHost } from "@/components/domains/records"
import type { Domain } from "@/components/domains/queries"

const loadForm = () => import("@/components/domains/host-names-form")
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
