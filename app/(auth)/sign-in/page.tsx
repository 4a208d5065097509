import type { Metadata } from "next"
import { cookies } from "next/headers"
import { redirect } from "next/navigation"
import { SecondStepPage, SignInForm, Or, SignInWays } from "@/components/access/sign-in-form"
import { AuthFrame } from "@/components/layout/bare-page"
import { FormErrorSummary } from "@/components/ui/form-error-summary"
import { configuredProviders } from "@/lib/access/credentials/identity-providers"
import { landingPath } from "@/lib/access/rules"
import { currentSession, sessionIdOf } from "@/lib/access/credentials/session"
import { systemRelay } from "@/lib/access/system-mail/system-mail"
import { env } from "@/lib/platform/env/env"

export const metadata: Metadata = { title: "Sign in" }

/** One sentence for every refusal, so that it does not reveal who has an account. */
const refusal =
  "No account or invite matches the verified email address of that account. Use another account, or ask for an invite."

const silence = "The identity provider did not answer. Try again, or sign in another way."

type Props = { searchParams: Promise<Record<string, string | string[] | undefined>> }

export default async function SignInPage({ searchParams }: Props) {
  const { callbackUrl, refused, unreachable, "second-step": secondStep } = await searchParams
  const wanted = landingPath(typeof callbackUrl === "string" ? callbackUrl : null)
  const sessionId = await sessionIdOf((await cookies()).toString())
  if (sessionId && (await currentSession(sessionId))) redirect(wanted)
  if (secondStep !== undefined)
    return (
      <AuthFrame title="Sign in">
        <SecondStepPage wanted={wanted} />
      </AuthFrame>
    )
  const providers = configuredProviders()
  const links = systemRelay() !== null
  return (
    <AuthFrame
      title="Sign in"
      footer={
        links ? undefined : "Forgot your password? The operator of this installation can give you a sign-in link."
      }
    >
      {refused === undefined ? null : <FormErrorSummary title="Sign-in failed" faults={[{ message: refusal }]} />}
      {unreachable === undefined ? null : <FormErrorSummary title="Sign-in failed" faults={[{ message: silence }]} />}
      {providers.length ? (
        <>
          <SignInWays providers={providers} wanted={wanted} />
          <Or />
        </>
      ) : null}
      <SignInForm wanted={wanted} links={links} several={env().peers.length > 0} />
    </AuthFrame>
  )
}
