"use client"

import { KeyRound } from "lucide-react"
import { useState } from "react"
import { signInWithPasskey } from "@/components/access/passkey"
import { problemOf } from "@/components/data/call"
import { Button } from "@/components/ui/button"

type PasskeyButtonProps = {
  wanted: string
  className?: string
  onRefused: (refusal: { title: string; message: string } | undefined) => void
}

/** Signs in with a passkey of this device, which needs neither address nor password. */
export function PasskeyButton({ wanted, className, onRefused }: PasskeyButtonProps) {
  const [busy, setBusy] = useState(false)

  async function start() {
    onRefused(undefined)
    setBusy(true)
    try {
      await signInWithPasskey(wanted)
    } catch (error) {
      setBusy(false)
      const { code, title, detail } = problemOf(error)
      const unknown = code === "auth.sign_in_refused"
      const message = unknown ? "It was removed, or belongs to another installation." : (detail ?? "Try again.")
      onRefused({ title: unknown ? "This passkey does not sign anybody in here" : title, message })
    }
  }

  return (
    <Button size="large" icon={<KeyRound />} className={className} loading={busy} onClick={() => void start()}>
      Sign in with a passkey
    </Button>
  )
}
