"use client"

import { useQuery } from "@tanstack/react-query"
import { problemOf } from "@/components/data/problem"
import { go } from "@/components/access/sign-in"
import { Button } from "@/components/ui/button"
import { Card, CardFooter, CardHeader } from "@/components/ui/card"
import { ConfirmDialog } from "@/components/ui/confirm-dialog"
import { ErrorState } from "@/components/ui/error-state"
import { KeyValues } from "@/components/ui/key-values"
import { RelativeTime } from "@/components/ui/relative-time"
import { SkeletonRows } from "@/components/ui/skeleton"
import { PasswordForm } from "@/components/settings/password-form"
import { ProfileForm } from "@/components/settings/profile-form"
import { currentSession, useEndSessions } from "@/components/settings/queries"

/** The signed-in user: name, password and sessions. */
export function Account() {
  const { data: session, error, refetch } = useQuery(currentSession())
  if (error && !session) {
    const { detail, title, requestId } = problemOf(error)
    return (
      <Card>
        <ErrorState message={detail ?? title} requestId={requestId} onRetry={() => void refetch()} />
      </Card>
    )
  }
  if (!session)
    return (
      <Card>
        <SkeletonRows rows={6} />
      </Card>
    )
  return (
    <>
      <ProfileForm user={session.user} organizations={session.organizations} />
      <PasswordForm currentNeeded={session.currentPasswordNeeded} email={session.user.email} />
      <Sessions createdAt={session.createdAt} expiresAt={session.expiresAt} />
    </>
  )
}

function Sessions({ createdAt, expiresAt }: { createdAt: string; expiresAt: string }) {
  const end = useEndSessions()
  async function confirm() {
    await end.mutateAsync({})
    go("/sign-in")
  }
  return (
    <Card>
      <CardHeader
        title="Sessions"
        description="A session ends after 24 hours without activity, and after 14 days at the latest."
      />
      <KeyValues
        items={[
          { label: "Signed in", value: <RelativeTime at={createdAt} /> },
          { label: "Ends", value: <RelativeTime at={expiresAt} /> },
        ]}
      />
      <CardFooter>
        <span className="text-muted">Have you lost a device or left a browser signed in?</span>
        <ConfirmDialog
          trigger={<Button>Sign out everywhere</Button>}
          title="Sign out everywhere?"
          action="Sign out everywhere"
          tone="primary"
          onConfirm={confirm}
        >
          Every browser, including this one, is signed out within a second. API keys are not affected.
        </ConfirmDialog>
      </CardFooter>
    </Card>
  )
}
