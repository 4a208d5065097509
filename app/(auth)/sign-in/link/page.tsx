import type { Metadata } from "next"
import { SignInByLink } from "@/components/access/sign-in-form"
import { AuthFrame } from "@/components/layout/bare-page"
import { TextLink } from "@/components/ui/text"
import { landingPath } from "@/lib/access/rules"

export const metadata: Metadata = { title: "Sign in by link" }

type Props = { searchParams: Promise<Record<string, string | string[] | undefined>> }

/** Opening the address uses nothing up, so that a scanner or a preview of links cannot: the button does. */
export default async function SignInLinkPage({ searchParams }: Props) {
  const { token, callbackUrl } = await searchParams
  const wanted = landingPath(typeof callbackUrl === "string" ? callbackUrl : null)
  const byPassword = wanted === "/" ? "/sign-in" : `/sign-in?callbackUrl=${encodeURIComponent(wanted)}`
  return (
    <AuthFrame
      title="Sign in by link"
      description="The link works once, within 15 minutes."
      footer={<TextLink href={byPassword}>Sign in with a password</TextLink>}
    >
      <SignInByLink token={typeof token === "string" ? token : ""} wanted={wanted} />
    </AuthFrame>
  )
}
