"use client"

import { useState } from "react"
import { call } from "@/components/data/call"
import { problemOf } from "@/components/data/problem"
import { Button } from "@/components/ui/button"
import { FormErrorSummary } from "@/components/ui/form-error-summary"
import { Or, SignInWays, type ProviderName } from "@/components/access/sign-in-ways"

type ProveAddressProps = { email: string; wanted: string; links: boolean; providers: ProviderName[] }

/** For an account with an unproven address: the ways to prove it, each of which leads back to the invite. */
export function ProveAddress({ email, wanted, links, providers }: ProveAddressProps) {
  const possible = links || providers.length > 0
  return (
    <>
      <p className="mb-4 [overflow-wrap:anywhere] text-muted">
        {possible
          ? `Verify ${email} before you join: sign in once in one of these ways.`
          : `Verify ${email} before you join. Ask the operator of this installation for a sign-in link, then open this invite again.`}
      </p>
      {providers.length ? <SignInWays providers={providers} wanted={wanted} /> : null}
      {providers.length && links ? <Or /> : null}
      {links ? <MailedLink email={email} wanted={wanted} /> : null}
    </>
  )
}

function MailedLink({ email, wanted }: { email: string; wanted: string }) {
  const [state, setState] = useState<"idle" | "busy" | "sent">("idle")
  const [refusal, setRefusal] = useState<string>()

  async function send() {
    setRefusal(undefined)
    setState("busy")
    try {
      await call("POST /v1/session/links", { body: { email, wanted } })
      setState("sent")
    } catch (error) {
      setState("idle")
      const { detail, title } = problemOf(error)
      setRefusal(detail ?? title)
    }
  }

  if (state === "sent") {
    return (
      <div role="status">
        <p className="font-medium">Check your email</p>
        <p className="mt-1 [overflow-wrap:anywhere] text-muted">
          A sign-in link is on its way to {email}. It works once, within 15 minutes.
        </p>
      </div>
    )
  }
  return (
    <>
      <FormErrorSummary title="No link was sent." faults={refusal ? [{ message: refusal }] : []} />
      <Button variant="primary" size="large" className="w-full" loading={state === "busy"} onClick={() => void send()}>
        Email me a sign-in link
      </Button>
    </>
  )
}
