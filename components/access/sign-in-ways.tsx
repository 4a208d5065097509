"use client"

import { useState } from "react"
import { problemOf } from "@/components/api/problem"
import { Button } from "@/components/ui/button"
import { FormErrorSummary } from "@/components/ui/form-error-summary"
import { GitHubMark, GoogleMark } from "@/components/access/provider-marks"
import { beginSignIn } from "@/components/access/sign-in"

export type ProviderName = "github" | "google"

const names: Record<ProviderName, { name: string; mark: typeof GitHubMark }> = {
  github: { name: "GitHub", mark: GitHubMark },
  google: { name: "Google", mark: GoogleMark },
}

/** Buttons to the identity providers that the operator has configured. */
export function SignInWays({ providers, wanted }: { providers: ProviderName[]; wanted: string }) {
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
      {providers.map((provider) => {
        const { name, mark: Mark } = names[provider]
        return (
          <Button
            key={provider}
            size="large"
            className="w-full"
            icon={<Mark />}
            loading={busy === provider}
            onClick={() => void go(provider)}
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
