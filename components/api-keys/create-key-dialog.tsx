"use client"

import { Plus } from "lucide-react"
import { useState } from "react"
import { Button } from "@/components/ui/button"
import { Dialog } from "@/components/ui/dialog"
import { CreateKeyForm, type CreatedKey } from "./create-key-form"
import { KeyReveal } from "./key-reveal"

type CreateKeyDialogProps = { projectId: string; baseUrl: string; recipient: string }

/** Makes a key, then shows it this once. */
export function CreateKeyDialog({ projectId, baseUrl, recipient }: CreateKeyDialogProps) {
  const [open, setOpen] = useState(false)
  const [created, setCreated] = useState<CreatedKey>()
  function change(next: boolean) {
    setOpen(next)
    if (!next) setCreated(undefined)
  }

  return (
    <Dialog
      trigger={<Button variant="primary" icon={<Plus />}>Create key</Button>}
      open={open}
      onOpenChange={change}
      intent="create-api-key"
      title={created ? "Your new key" : "Create API key"}
      description={created ? "Copy it now: it is not kept anywhere and will never be shown again." : undefined}
    >
      {created ? (
        <KeyReveal projectId={projectId} created={created} baseUrl={baseUrl} recipient={recipient} />
      ) : (
        <CreateKeyForm projectId={projectId} onCreated={setCreated} />
      )}
    </Dialog>
  )
}
