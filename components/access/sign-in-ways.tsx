"use client"

import { useState } from "react"
import { problemOf } from "@/components/data/call"
import { Button } from "@/components/ui/button"
import { FormErrorSummary } from "@/components/ui/form-error-summary"
import { beginSignIn } from "@/components/access/sign-in"

type ProviderName = "github" | "google" | "oidc"

export type SignInProvider = { id: ProviderName; name: string }

const marks: Record<ProviderName, typeof GitHubMark> = { github: GitHubMark, google: GoogleMark, oidc: OidcMark }

/** Buttons to the identity providers that the operator has configured. */
export function SignInWays({ providers, wanted }: { providers: SignInProvider[]; wanted: string }) {
  const [busy, setBusy] = useState<ProviderName>()
  const [refusal, setRefusal] = useState<string>()

  async function go(provider: ProviderName) {
    setRefusal(undefined)
    setBusy(provider)
    try {
      await beginSignIn(provider, wanted)
    } catch (error) {
      setBusy(undefined)
      const { detail, title } = problemOf(error)
      setRefusal(detail ?? title)
    }
  }

  return (
    <div className="grid gap-2">
      <FormErrorSummary title="Sign-in failed" faults={refusal ? [{ message: refusal }] : []} />
      {providers.map(({ id, name }) => {
        const Mark = marks[id]
        return (
          <Button
            key={id}
            size="large"
            className="w-full"
            icon={<Mark />}
            loading={busy === id}
            onClick={() => void go(id)}
          >
            Continue with {name}
          </Button>
        )
      })}
    </div>
  )
}

/** A line between ways that exclude each other. */
export function Or() {
  return (
    <div
      role="separator"
      className="my-4 flex items-center gap-3 text-sm text-muted before:h-px before:flex-1 before:bg-line after:h-px after:flex-1 after:bg-line"
    >
      or
    </div>
  )
}

/** The marks by which the providers want to be shown on their buttons, in one colour. */
function GitHubMark() {
  return (
    <svg aria-hidden="true" viewBox="0 0 16 16" className="size-4" fill="currentColor">
      <path d="M8 .2a8 8 0 0 0-2.5 15.6c.4.1.5-.2.5-.4v-1.4c-2.2.5-2.7-1-2.7-1-.4-.9-.9-1.2-.9-1.2-.7-.5.1-.5.1-.5.8.1 1.2.8 1.2.8.7 1.3 1.9.9 2.3.7.1-.5.3-.9.5-1.1-1.8-.2-3.6-.9-3.6-4 0-.9.3-1.6.8-2.1-.1-.2-.4-1 .1-2.1 0 0 .7-.2 2.2.8a7.5 7.5 0 0 1 4 0c1.5-1 2.2-.8 2.2-.8.4 1.1.2 1.9.1 2.1.5.6.8 1.3.8 2.1 0 3.1-1.9 3.7-3.7 3.9.3.3.6.8.6 1.5v2.2c0 .2.1.5.6.4A8 8 0 0 0 8 .2Z" />
    </svg>
  )
}

function OidcMark() {
  return (
    <svg aria-hidden="true" viewBox="0 0 16 16" className="size-4" fill="none" stroke="currentColor" strokeWidth="1.5">
      <circle cx="5.5" cy="10.5" r="3.25" />
      <path d="M8 8.2 13.5 2.7M11 5.2l2 2" strokeLinecap="round" />
    </svg>
  )
}

function GoogleMark() {
  return (
    <svg aria-hidden="true" viewBox="0 0 16 16" className="size-4" fill="currentColor">
      <path d="M8.2 6.8v2.7h3.8a3.3 3.3 0 0 1-1.4 2.1 4.2 4.2 0 0 1-2.4.7 4.3 4.3 0 1 1 2.7-7.6l1.9-1.9A7 7 0 1 0 8.2 15c4 0 6.7-2.8 6.7-6.8 0-.5 0-.9-.1-1.4H8.2Z" />
    </svg>
  )
}
