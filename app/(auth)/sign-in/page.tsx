import type { Metadata } from "next"
import { cookies } from "next/headers"
import { redirect } from "next/navigation"
import { SignInForm } from "@/components/access/sign-in-form"
import { AuthFrame } from "@/components/layout/auth-frame"
import { landingPath } from "@/lib/access/rules"
import { liveSession } from "@/lib/access/session-cache"
import { sessionIdOf } from "@/lib/access/session-cookie"

export const metadata: Metadata = { title: "Sign in" }

type Props = { searchParams: Promise<Record<string, string | string[] | undefined>> }

export default async function SignInPage({ searchParams }: Props) {
  const { callbackUrl } = await searchParams
  const wanted = landingPath(typeof callbackUrl === "string" ? callbackUrl : null)
  const sessionId = await sessionIdOf((await cookies()).toString())
  if (sessionId && (await liveSession(sessionId))) redirect(wanted)
  return (
    <AuthFrame
      title="Sign in"
      footer="No password any more? Whoever operates this installation can print you a link that signs you in once."
    >
      <SignInForm wanted={wanted} />
    </AuthFrame>
  )
}
