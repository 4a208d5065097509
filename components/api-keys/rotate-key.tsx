"use client"

import { lazy, Suspense } from "react"
import { Button } from "@/components/ui/button"
import { Dialog } from "@/components/ui/dialog"
import { Skeleton } from "@/components/ui/skeleton"
import { KeyReveal } from "@/components/api-keys/key-reveal"
import { shownOnce, useNewKey } from "@/components/api-keys/use-new-key"

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

/** Replaces this key with a new one; this one continues to work for a while. */
export function RotateKey({ projectId, keyId, name, live, baseUrl, recipient }: RotateKeyProps) {
  const { created, reveal, dialog } = useNewKey()
  return (
    <Dialog
      trigger={
        live ? (
          <Button onPointerEnter={() => void loadForm()} onFocus={() => void loadForm()}>
            Rotate key
          </Button>
        ) : undefined
      }
      {...dialog}
      title={created ? "Your new key" : `Rotate ${name}`}
      description={
        created
          ? shownOnce
          : "Creates a new key with the same name and permissions. How long should this key continue to work?"
      }
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
        <Suspense fallback={<Skeleton className="h-60" />}>
          <RotateKeyForm projectId={projectId} keyId={keyId} onRotated={reveal} />
        </Suspense>
      )}
    </Dialog>
  )
}
