"use client"

import { lazy, Suspense, useState } from "react"
import { Button } from "@/components/ui/button"
import { Dialog } from "@/components/ui/dialog"
import { Skeleton } from "@/components/ui/skeleton"
import type { CreatedKey } from "@/components/api-keys/create-key-form"
import { KeyReveal } from "@/components/api-keys/key-reveal"

type RotateKeyProps = {
  projectId: string
  keyId: string
  name: string
  /** Only a live key can be rotated; but what shows the new one must stay when that has just ended the old one. */
  live: boolean
  /** For the ready command. */
  baseUrl: string
  recipient: string
}

const loadForm = () => import("@/components/api-keys/rotate-key-form")
const RotateKeyForm = lazy(loadForm)

/** Puts a new key in the place of this one, which goes on working for a while. */
export function RotateKey({ projectId, keyId, name, live, baseUrl, recipient }: RotateKeyProps) {
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
  return (
    <Dialog
      trigger={
        live ? (
          <Button onPointerEnter={() => void loadForm()} onFocus={() => void loadForm()}>
            Rotate
          </Button>
        ) : undefined
      }
      open={open}
      onOpenChange={change}
      locked={created !== undefined}
      title={created ? "Your new key" : `Rotate ${name}`}
      description={
        created
          ? "Copy it now: it is not kept anywhere and will never be shown again."
          : "Makes a new key with the same name and permissions. How long does this one go on working?"
      }
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
        <Suspense fallback={<Skeleton className="h-60" />}>
          <RotateKeyForm projectId={projectId} keyId={keyId} onRotated={reveal} />
        </Suspense>
      )}
    </Dialog>
  )
}
