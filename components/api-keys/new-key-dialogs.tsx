"use client"

import { lazy, useState } from "react"
import { useMay } from "@/components/access/powers"
import { AddDialog } from "@/components/data/add-dialog"
import type { CreatedKey } from "@/components/api-keys/create-key-form"
import { shownOnce } from "@/components/api-keys/key-words"
import { KeyReveal } from "@/components/api-keys/key-reveal"

const loadCreateForm = () => import("@/components/api-keys/create-key-form")
const CreateKeyForm = lazy(loadCreateForm)
const loadRotateForm = () => import("@/components/api-keys/rotate-key-form")
const RotateKeyForm = lazy(loadRotateForm)

/** For the ready command of a new key. */
type Command = { baseUrl: string; recipient: string }

type CreateKeyDialogProps = Command & { projectId: string }

/** Makes a key, then shows it this once. */
export function CreateKeyDialog({ projectId, ...command }: CreateKeyDialogProps) {
  const may = useMay("projects:write")
  const { created, reveal, dialog } = useNewKey()
  if (!may) return null
  return (
    <AddDialog
      {...dialog}
      action="Create key"
      intent="create-api-key"
      title={created ? "Your new key" : "Create API key"}
      description={created ? shownOnce : undefined}
      load={loadCreateForm}
      height="h-100"
    >
      {(close) =>
        created ? (
          <KeyReveal projectId={projectId} created={created} {...command} onStored={close} />
        ) : (
          <CreateKeyForm projectId={projectId} onCreated={reveal} />
        )
      }
    </AddDialog>
  )
}

type RotateKeyProps = Command & {
  projectId: string
  keyId: string
  name: string
  /** Only a live key can be rotated; but what shows the new one must stay when that has just ended the old one. */
  live: boolean
}

/** Replaces this key with a new one; this one continues to work for a while. */
export function RotateKey({ projectId, keyId, name, live, ...command }: RotateKeyProps) {
  const { created, reveal, dialog } = useNewKey()
  return (
    <AddDialog
      {...dialog}
      action="Rotate key"
      button={live ? {} : null}
      title={created ? "Your new key" : `Rotate ${name}`}
      description={
        created
          ? shownOnce
          : "Creates a new key with the same name and permissions. How long should this key continue to work?"
      }
      load={loadRotateForm}
      height="h-60"
    >
      {(close) =>
        created ? (
          <KeyReveal projectId={projectId} created={created} {...command} onStored={close} />
        ) : (
          <RotateKeyForm projectId={projectId} keyId={keyId} onRotated={reveal} />
        )
      }
    </AddDialog>
  )
}

/** A dialog that makes a key and then shows it this once: locked until the key is stored. */
function useNewKey() {
  const [open, setOpen] = useState(false)
  const [created, setCreated] = useState<CreatedKey>()
  function onOpenChange(next: boolean) {
    setOpen(next)
    if (!next) setCreated(undefined)
  }
  /** Even if the form was closed while the key was being made. */
  function reveal(key: CreatedKey) {
    setCreated(key)
    setOpen(true)
  }
  return { created, reveal, dialog: { open, onOpenChange, locked: created !== undefined } }
}
