"use client"

import { useEffect, useEffectEvent, useRef } from "react"
import { useConfirmation } from "@/components/access/confirm-identity"
import { problemOf } from "@/components/data/call"
import { useChangeKey } from "@/components/api-keys/queries"
import { toast } from "@/components/ui/toast"
import type { Permission } from "@/lib/access/permissions"

export type GiveBackProps = {
  params: { projectId: string; keyId: string }
  /** All that the key had. */
  permissions: readonly Permission[]
  /** "emails:read was". */
  what: string
}

/** Undoes a removal once it is shown, and asks for the password where that is needed. Loaded with the first undo, as its form is large. */
export default function GiveBack({ params, permissions, what }: GiveBackProps) {
  const change = useChangeKey()
  const confirmation = useConfirmation()
  const started = useRef(false)
  async function give() {
    try {
      await change.mutateAsync({ params, body: { permissions: [...permissions] } })
      toast.success(`${what} restored`)
    } catch (error) {
      if (confirmation.ask(error, () => void give())) return
      toast.error(`${what} not restored`, { description: problemOf(error).detail })
    }
  }
  const start = useEffectEvent(() => {
    if (started.current) return
    started.current = true
    void give()
  })
  useEffect(() => start(), [])
  return confirmation.dialog
}
