"use client"

import { useState } from "react"
import { call } from "@/components/data/call"
import { problemOf } from "@/components/data/problem"
import { Button } from "@/components/ui/button"
import { FormErrorSummary } from "@/components/ui/form-error-summary"
import { go, signOut } from "@/components/access/sign-in"

type JoinByInviteProps = { token: string; organization: string; invited: string; signedIn: string }

/** The invite for a signed-in user: one click joins, unless the invite is for another address. */
export function JoinByInvite({ token, organization, invited, signedIn }: JoinByInviteProps) {
  const [refusal, setRefusal] = useState<string>()
  const [busy, setBusy] = useState(false)

  async function attempt(work: () => Promise<void>) {
    setRefusal(undefined)
    setBusy(true)
    try {
      await work()
    } catch (error) {
      setBusy(false)
      const { detail, title } = problemOf(error)
      setRefusal(detail ?? title)
    }
  }

  async function join() {
    await call("POST /v1/session/invites", { body: { token } })
    go("/")
  }

  if (invited !== signedIn) {
    return (
      <>
        <p className="[overflow-wrap:anywhere] text-muted">
          You are signed in as <b className="font-medium text-text">{signedIn}</b>. The invite is for another address.
          Sign out, then open the link again.
        </p>
        <FormErrorSummary title="You could not be signed out." faults={refusal ? [{ message: refusal }] : []} />
        <Button
          variant="primary"
          size="large"
          className="mt-5 w-full"
          loading={busy}
          onClick={() => void attempt(() => signOut())}
        >
          Sign out
        </Button>
      </>
    )
  }
  return (
    <>
      <FormErrorSummary title="You have not joined." faults={refusal ? [{ message: refusal }] : []} />
      <Button variant="primary" size="large" className="w-full" loading={busy} onClick={() => void attempt(join)}>
        Join {organization}
      </Button>
    </>
  )
}
