"use client"

import { Plus } from "lucide-react"
import { lazy, Suspense, useState } from "react"
import type { DialogName } from "@/components/layout/dialog-names"
import { Button } from "@/components/ui/button"
import { Dialog } from "@/components/ui/dialog"
import { Skeleton } from "@/components/ui/skeleton"

const loadForm = () => import("@/components/contact-properties/add-property-form")
const AddPropertyForm = lazy(loadForm)

export function AddProperty({ projectId }: { projectId: string }) {
  const [open, setOpen] = useState(false)
  return (
    <Dialog
      open={open}
      onOpenChange={setOpen}
      trigger={
        <Button
          variant="primary"
          icon={<Plus />}
          onPointerEnter={() => void loadForm()}
          onFocus={() => void loadForm()}
        >
          Define property
        </Button>
      }
      intent={"define-property" satisfies DialogName}
      title="Define property"
      description="Key and type cannot be changed later."
    >
      <Suspense fallback={<Skeleton className="h-64" />}>
        <AddPropertyForm projectId={projectId} done={() => setOpen(false)} />
      </Suspense>
    </Dialog>
  )
}
