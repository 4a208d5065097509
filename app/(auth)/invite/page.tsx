import type { Metadata } from "next"
import { cookies } from "next/headers"
import { AcceptInviteForm, JoinByInviteForm, ProveAddress } from "@/components/access/invite-forms"
import { SignInForm, Or, SignInWays } from "@/components/access/sign-in-form"
import { AuthFrame, MessagePage } from "@/components/layout/bare-page"
import { ButtonLink } from "@/components/ui/button"
import { configuredProviders } from "@/lib/access/credentials/identity-providers"
import { findOpenInvite, type OpenInvite } from "@/lib/access/invites/data"
import { isProven } from "@/lib/access/people/data"
import { liveSession, sessionIdOf } from "@/lib/access/credentials/session"
import { systemRelay } from "@/lib/access/system-mail/system-mail"
import { sha256 } from "@/lib/platform/crypto"

export const metadata: Metadata = { title: "Invite" }

type Props = { searchParams: Promise<Record<string, string | string[] | undefined>> }

/** Opening the link accepts nothing: the invited person presses a button. */
export default async function InvitePage({ searchParams }: Props) {
  const { token } = await searchParams
  const invite = typeof token === "string" ? await findOpenInvite(sha256(token)) : null
  if (!invite || typeof token !== "string") return <Closed />
  const sessionId = await sessionIdOf((await cookies()).toString())
  const session = sessionId ? await liveSession(sessionId) : null
  const unproven = session?.email === invite.email && !(await isProven(session.userId))
  return (
    <AuthFrame title={`Join ${invite.organization}`} description={<Words {...invite} />}>
      {unproven ? (
        <ProveAddress
          email={invite.email}
          wanted={addressOf(token)}
          links={systemRelay() !== null}
          providers={configuredProviders()}
        />
      ) : session ? (
        <JoinByInviteForm
          token={token}
          organization={invite.organization}
          invited={invite.email}
          signedIn={session.email}
        />
      ) : (
        <Ways token={token} invite={invite} />
      )}
    </AuthFrame>
  )
}

function addressOf(token: string): string {
  return `/invite?token=${encodeURIComponent(token)}`
}

function Words({ invitedBy, role, email }: OpenInvite) {
  const article = role === "owner" || role === "admin" ? "an" : "a"
  return (
    <span className="[overflow-wrap:anywhere]">
      {invitedBy ?? "A former member"} invites {email} as {article} {role}.
    </span>
  )
}

/** Who has an account signs in and comes back; who has none makes one, or lets an identity provider make it. */
function Ways({ token, invite }: { token: string; invite: OpenInvite }) {
  const providers = configuredProviders()
  const here = addressOf(token)
  return (
    <>
      {providers.length ? (
        <>
          <SignInWays providers={providers} wanted={invite.hasAccount ? here : "/"} />
          <Or />
        </>
      ) : null}
      {invite.hasAccount ? (
        <>
          <p className="mb-4 text-muted">You already have an account. Sign in, then accept the invite.</p>
          <SignInForm wanted={here} email={invite.email} links={systemRelay() !== null} />
        </>
      ) : (
        <AcceptInviteForm token={token} email={invite.email} />
      )}
    </>
  )
}

function Closed() {
  return (
    <MessagePage
      title="This invite is not valid"
      actions={
        <ButtonLink href="/sign-in" variant="primary">
          Sign in
        </ButtonLink>
      }
    >
      It was already used, revoked or replaced by a newer one, or is older than 7 days. Ask for a new invite.
    </MessagePage>
  )
}
