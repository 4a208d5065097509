"use client"

import { useQuery } from "@tanstack/react-query"
import { go, signOut } from "@/components/access/sign-in"
import { Logo } from "@/components/layout/logo"
import { secondFactor } from "@/components/settings/queries"
import { SecondFactorCard } from "@/components/settings/second-factor"
import { Button, ButtonLink } from "@/components/ui/button"

type RequiredSecondFactorProps = {
  email: string
  /** Those that require it. */
  organizations: readonly string[]
  /** Where the way leads on to. */
  wanted: string
  /** The person has projects elsewhere, which nothing is required for. */
  hasOthers: boolean
}

/** The step before the projects of an organization that requires a second factor. */
export function RequiredSecondFactor({ email, organizations, wanted, hasOthers }: RequiredSecondFactorProps) {
  const { data: factor } = useQuery(secondFactor())
  const isSetUp = Boolean(factor && (factor.totpSince || factor.passkeys))
  return (
    <main className="mx-auto grid max-w-160 gap-4 px-4 py-10">
      <div className="flex items-center gap-2.5 text-lg font-semibold">
        <Logo />
        Mailroom
      </div>
      <div>
        <h1 className="text-2xl font-semibold tracking-[-0.01em]">Set up two-factor authentication</h1>
        <p className="mt-1 text-muted">
          {organizations.join(", ")} {organizations.length > 1 ? "require" : "requires"} it of every member. Set up an
          authenticator app or add a passkey to see {organizations.length > 1 ? "their" : "its"} projects.
        </p>
      </div>
      <SecondFactorCard />
      <div className="flex flex-wrap items-center justify-between gap-3">
        <span className="text-muted">
          Signed in as <span className="[overflow-wrap:anywhere]">{email}</span>
        </span>
        <span className="flex flex-wrap gap-2">
          <Button variant="ghost" onClick={() => void signOut()}>
            Sign out
          </Button>
          {hasOthers && !isSetUp ? (
            <ButtonLink href="/" prefetch={false}>
              Other projects
            </ButtonLink>
          ) : null}
          <Button variant="primary" disabled={!isSetUp} onClick={() => go(wanted)}>
            Continue
          </Button>
        </span>
      </div>
    </main>
  )
}
