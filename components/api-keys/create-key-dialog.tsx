"use client"

import { Plus } from "lucide-react"
import { lazy, Suspense } from "react"
import { useMay } from "@/components/access/powers"
import type { DialogName } from "@/components/layout/dialog-names"
import { Button } from "@/components/ui/button"
import { Dialog } from "@/components/ui/dialog"
import { Skeleton } from "@/components/ui/skeleton"
import { KeyReveal } from "@/components/api-keys/key-reveal"
import { shownOnce, useNewKey } from "@/components/api-keys/use-new-key"

const loadForm = () => import("@/components/api-keys/create-key-form")
const CreateKeyForm = lazy(loadForm)

type CreateKeyDialogProps = { projectId: string; baseUrl: string; recipient: string }

/** Makes a key, then shows it this once. */
export function CreateKeyDialog({ projectId, baseUrl, recipient }: CreateKeyDialogProps) {
  const may = useMay("projects:write")
  const { created, reveal, dialog } = useNewKey()

  if (!may) return null
  return (
    <Dialog
      trigger={
        <Button
          variant="primary"
          icon={<Plus />}
          onPointerEnter={() => void loadForm()}
          onFocus={() => void loadForm()}
        >
          Create key
        </Button>
      }
      {...dialog}
      intent={"create-api-key" satisfies DialogName}
      title={created ? "Your new key" : "Create API key"}
      description={created ? shownOnce : undefined}
    >
      {created ? (
        <KeyReveal
          projectId={projectId}
          created={created}
          baseUrl={baseUrl}
          recipient={recipient}
          onStored={() => dialog.onOpenChange(false)}
        />
      ) : (
        <Suspense fallback={<Skeleton className="h-100" />}>
          <CreateKeyForm projectId={projectId} onCreated={reveal} />
        </Suspense>
      )}
    </Dialog>
  )
}
