import { useState } from "react"
import type { CreatedKey } from "@/components/api-keys/create-key-form"

export const shownOnce = "Copy it now. It is not stored and will never be shown again."

/** A dialog that makes a key and then shows it this once: locked until the key is stored. */
export function useNewKey() {
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
