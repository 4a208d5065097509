"use client"

import { Plus } from "lucide-react"
import { lazy, Suspense } from "react"
import type { DialogName } from "@/components/layout/dialog-names"
import { Button } from "@/components/ui/button"
import { Dialog } from "@/components/ui/dialog"
import { Skeleton } from "@/components/ui/skeleton"
import type { RegionChoice } from "@/components/domains/add-domain-form"

const loadForm = () => import("@/components/domains/add-domain-form")
const AddDomainForm = lazy(loadForm)

/** The form loads with the dialog, so that the list alone does not load its validation schemas. */
export function AddDomain({ projectId, regions }: { projectId: string; regions: RegionChoice[] }) {
  return (
    <Dialog
      trigger={
        <Button
          variant="primary"
          icon={<Plus />}
          onPointerEnter={() => void loadForm()}
          onFocus={() => void loadForm()}
        >
          Add domain
        </Button>
      }
      intent={"add-domain" satisfies DialogName}
      title="Add domain"
      description="You get the DNS records to publish at once."
    >
      <Suspense fallback={<Skeleton className="h-44" />}>
        <AddDomainForm projectId={projectId} regions={regions} />
      </Suspense>
    </Dialog>
  )
}
