import type { Metadata } from "next"
import { SetUpForm } from "@/components/access/set-up-form"
import { AuthFrame, MessagePage } from "@/components/layout/bare-page"
import { ButtonLink } from "@/components/ui/button"
import { sha256 } from "@/lib/platform/crypto"
import { setUpIsOpen } from "@/lib/projects/installation/store"
import { regionNames } from "@/lib/regions/regions"
import { regionSettings } from "@/lib/regions/settings"

export const metadata: Metadata = { title: "Set up" }

type Props = { searchParams: Promise<Record<string, string | string[] | undefined>> }

export default async function SetUpPage({ searchParams }: Props) {
  const { token } = await searchParams
  if (typeof token !== "string" || !(await setUpIsOpen(sha256(token)))) return <Closed />
  const regions = regionNames.map((name) => ({
    name,
    sandbox: regionSettings().profiles[name].transport === "sandbox",
  }))
  return (
    <AuthFrame
      wide
      title="Set up Mailroom"
      description="Your account, and the first project to send from. This page works once."
    >
      <SetUpForm token={token} regions={regions} />
    </AuthFrame>
  )
}

function Closed() {
  return (
    <MessagePage
      title="This link is not valid"
      actions={
        <ButtonLink href="/sign-in" variant="primary">
          Sign in
        </ButtonLink>
      }
    >
      The set-up is already complete, or the service was restarted and printed a new link in the terminal.
    </MessagePage>
  )
}
