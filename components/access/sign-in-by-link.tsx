"use client"

import { useState, type FormEvent } from "react"
import { problemOf } from "@/components/data/call"
import { Button } from "@/components/ui/button"
import { FormErrorSummary } from "@/components/ui/form-error-summary"
import { SecondStep, wantsSecondStep } from "@/components/access/second-step"
import { go, signIn } from "@/components/access/sign-in"

export function SignInByLink({ token, wanted }: { token: string; wanted: string }) {
  const [refusal, setRefusal] = useState<string>()
  const [busy, setBusy] = useState(false)
  const [secondStep, setSecondStep] = useState(false)

  async function submit(event: FormEvent) {
    event.preventDefault()
    setRefusal(undefined)
    setBusy(true)
    try {
      await signIn("link", { token }, wanted)
    } catch (error) {
      setBusy(false)
      if (wantsSecondStep(error)) return setSecondStep(true)
      const { code, detail, title } = problemOf(error)
      setRefusal(
        code === "auth.sign_in_refused"
          ? "This link was already used, has expired, or is incomplete. Request a new one."
          : (detail ?? title),
      )
    }
  }

  // The link is used up.
  if (secondStep) return <SecondStep wanted={wanted} onBack={() => go("/sign-in")} />
  return (
    <form method="post" onSubmit={submit}>
      <FormErrorSummary title="Sign-in failed" faults={refusal ? [{ message: refusal }] : []} />
      <Button type="submit" variant="primary" size="large" className="w-full" loading={busy}>
        Sign in
      </Button>
    </form>
  )
}
