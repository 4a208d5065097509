"use client"

import { Plus } from "lucide-react"
import { lazy, Suspense } from "react"
import type { DialogName } from "@/components/layout/dialog-names"
import { Button } from "@/components/ui/button"
import { Dialog } from "@/components/ui/dialog"
import { Skeleton } from "@/components/ui/skeleton"

const loadForm = () => import("@/components/contacts/add-contact-form")
const AddContactForm = lazy(loadForm)

/** The form is loaded with the dialog: the list alone does not need its validation. */
export function AddContact({ projectId }: { projectId: string }) {
  return (
    <Dialog
      trigger={
        <Button
          variant="primary"
          icon={<Plus />}
          onPointerEnter={() => void loadForm()}
          onFocus={() => void loadForm()}
        >
          Add contact
        </Button>
      }
      intent={"add-contact" satisfies DialogName}
      title="Add contact"
      description="Set properties, segments and topics on the contact's page."
    >
      <Suspense fallback={<Skeleton className="h-56" />}>
        <AddContactForm projectId={projectId} />
      </Suspense>
    </Dialog>
  )
}
