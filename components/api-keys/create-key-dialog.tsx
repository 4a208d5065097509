"use client"

import { Plus } from "lucide-react"
import { lazy, Suspense, useState } from "react"
import { useMay } from "@/components/access/powers"
import { Button } from "@/components/ui/button"
import { Dialog } from "@/components/ui/dialog"
import { Skeleton } from "@/components/ui/skeleton"
import type { CreatedKey } from "@/components/api-keys/create-key-form"
import { KeyReveal } from "@/components/api-keys/key-reveal"

const loadForm = () => import("@/components/api-keys/create-key-form")
const CreateKeyForm = lazy(loadForm)

type CreateKeyDialogProps = { projectId: string; baseUrl: string; recipient: string }

/** Makes a key, then shows it this once. */
export function CreateKeyDialog({ projectId, baseUrl, recipient }: CreateKeyDialogProps) {
  const may = useMay("projects:write")
  const [open, setOpen] = useState(false)
  const [created, setCreated] = useState<CreatedKey>()
  function change(next: boolean) {
    setOpen(next)
    if (!next) setCreated(undefined)
  }
  /** Even if the form was closed while the key was being made. */
  function reveal(key: CreatedKey) {
    setCreated(key)
    setOpen(true)
  }

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
      open={open}
      onOpenChange={change}
      locked={created !== undefined}
      intent="create-api-key"
      title={created ? "Your new key" : "Create API key"}
      description={created ? "Copy it now: it is not kept anywhere and will never be shown again." : undefined}
    >
      {created ? (
        <KeyReveal
          projectId={projectId}
          created={created}
          baseUrl={baseUrl}
          recipient={recipient}
          onStored={() => change(false)}
        />
      ) : (
        <Suspense fallback={<Skeleton className="h-100" />}>
          <CreateKeyForm projectId={projectId} onCreated={reveal} />
        </Suspense>
      )}
    </Dialog>
  )
}
