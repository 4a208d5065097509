"use client"

import { useQuery } from "@tanstack/react-query"
import { useRouter } from "next/navigation"
import { problemOf } from "@/components/data/call"
import { Form, FormRefusal, filled } from "@/components/data/form"
import { usePageForm } from "@/components/late-parts/use-page-form"
import { SaveFooter } from "@/components/settings/general-form"
import {
  currentSession,
  useChangePassword,
  useUpdateSession,
  openSessions,
  useEndSession,
  useEndSessions,
} from "@/components/settings/queries"
import { SecondFactorCard } from "@/components/settings/second-factor"
import { Button } from "@/components/ui/button"
import { Card, CardBody, CardFooter, CardHeader } from "@/components/ui/card"
import { ErrorState } from "@/components/ui/error-state"
import { Field } from "@/components/ui/field"
import { Input } from "@/components/ui/input"
import { KeyValues } from "@/components/ui/key-values"
import { SkeletonRows } from "@/components/ui/loading"
import { toast } from "@/components/ui/toast"
import { passwordLength, personNameCharsMax } from "@/lib/access/rules"
import type { Api } from "@/lib/api/registry"
import { go } from "@/components/access/sign-in"
import { NotLoaded } from "@/components/data/load-error"
import { ConfirmDialog } from "@/components/ui/confirm-dialog"
import { Pill } from "@/components/ui/pill"
import { RelativeTime } from "@/components/ui/relative-time"
import { type Column, DataTable } from "@/components/ui/table"
import type { OpenSessionWire } from "@/lib/access/sessions/schema"

/** The signed-in user: name, password and sessions. */
export function AccountSettings() {
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
      <SecondFactorCard />
      <SessionsCard />
    </>
  )
}

type Session = Api["GET /v1/session"]["answer"]

/** The name of the person, which they choose, and what is given: address and roles. */
function ProfileForm({ user, organizations }: Pick<Session, "user" | "organizations">) {
  const router = useRouter()
  const update = useUpdateSession()
  const form = usePageForm({
    schema: () => import("@/lib/access/credentials/schema").then(({ SessionChange }) => SessionChange),
    values: { name: user.name ?? "" },
    async save(body) {
      await update.mutateAsync({ body })
      toast.success("Saved")
      // The shell around the page shows the name too.
      router.refresh()
    },
  })

  return (
    <Card>
      <Form form={form}>
        <CardHeader title="You" />
        <KeyValues
          items={[
            { label: "Email address", value: user.email },
            ...organizations.map(({ name, role }) => ({
              label: name,
              value: <span className="capitalize">{role}</span>,
            })),
          ]}
        />
        <CardBody className="border-t border-line">
          <FormRefusal form={form} />
          <Field
            label="Your name"
            hint="Shown to the other members, and in the invites that you send."
            error={form.faultOf("name")}
            className="max-w-md"
          >
            <Input maxLength={personNameCharsMax} autoComplete="name" {...form.input("name")} />
          </Field>
        </CardBody>
        <SaveFooter dirty={form.dirty} saving={form.saving} onReset={form.discard} />
      </Form>
    </Card>
  )
}

function PasswordForm({ currentNeeded, email }: { currentNeeded: boolean; email: string }) {
  const change = useChangePassword()
  const form = usePageForm({
    schema: () => import("@/lib/access/credentials/schema").then(({ PasswordChange }) => PasswordChange),
    values: { currentPassword: "", newPassword: "" },
    rules: { currentPassword: filled("Enter your current password."), newPassword: filled("Enter a new password.") },
    async save({ currentPassword, newPassword }) {
      await change.mutateAsync({ body: { newPassword, ...(currentNeeded && { currentPassword }) } })
      toast.success("Your password is changed", { description: "Every other browser is signed out." })
    },
  })

  return (
    <Card>
      <Form form={form}>
        <CardHeader
          title="Password"
          description="Changing it signs you out everywhere else and invalidates your sign-in links."
        />
        <CardBody>
          <FormRefusal form={form} title="The password was not changed." />
          <input type="text" name="username" autoComplete="username" defaultValue={email} readOnly hidden />
          <div className="grid items-start gap-x-4 sm:grid-cols-2">
            {currentNeeded ? (
              <Field label="Current password" error={form.faultOf("currentPassword")} className="last:mb-4">
                <Input type="password" autoComplete="current-password" {...form.input("currentPassword")} />
              </Field>
            ) : null}
            <Field
              label="New password"
              hint={`At least ${passwordLength.min} characters.`}
              error={form.faultOf("newPassword")}
            >
              <Input type="password" autoComplete="new-password" {...form.input("newPassword")} />
            </Field>
          </div>
        </CardBody>
        <CardFooter>
          <span className="text-muted">
            {currentNeeded ? "" : "You have just signed in without a password, so the old one is not needed."}
          </span>
          <Button type="submit" variant="primary" loading={form.saving}>
            Change password
          </Button>
        </CardFooter>
      </Form>
    </Card>
  )
}

/** Where the user is signed in, and the ways to end that. */
function SessionsCard() {
  const list = useQuery(openSessions())
  const end = useEndSessions()
  async function endOthers() {
    await end.mutateAsync({ query: { keepCurrent: "true" } })
    toast.success("Every other browser is signed out")
  }
  async function endAll() {
    await end.mutateAsync({})
    go("/sign-in")
  }
  const others = (list.data?.data.length ?? 0) > 1
  return (
    <Card>
      <CardHeader
        title="Sessions"
        description="Browsers in which you are signed in. A session ends after 24 hours without activity, and after 14 days at the latest."
      />
      {list.data ? (
        <DataTable label="Sessions" columns={columns} rows={list.data.data} keyOf={({ id }) => id} />
      ) : (
        <NotLoaded read={list} label="sessions" rows={2} />
      )}
      <CardFooter>
        <span className="text-muted">Have you lost a device or left a browser signed in?</span>
        <span className="flex flex-wrap gap-2">
          {others ? (
            <ConfirmDialog
              trigger={<Button>Sign out all others</Button>}
              title="Sign out all other sessions?"
              action="Sign out all others"
              tone="primary"
              onConfirm={endOthers}
            >
              Every browser but this one is signed out within a second. API keys are not affected.
            </ConfirmDialog>
          ) : null}
          <ConfirmDialog
            trigger={<Button>Sign out everywhere</Button>}
            title="Sign out everywhere?"
            action="Sign out everywhere"
            tone="primary"
            onConfirm={endAll}
          >
            Every browser, including this one, is signed out within a second. API keys are not affected.
          </ConfirmDialog>
        </span>
      </CardFooter>
    </Card>
  )
}

const columns: Column<OpenSessionWire>[] = [
  {
    head: "Browser",
    cellClassName: "[overflow-wrap:anywhere]",
    cell: (session) => (
      <>
        <span className="flex flex-wrap items-center gap-x-2">
          <span className="font-medium">{deviceName(session)}</span>
          {session.current ? <Pill tone="good">This one</Pill> : null}
        </span>
        <span className="block text-muted">
          {[session.ip, signInWayWords(session.signedInBy, session.provider)].filter(Boolean).join(", ")}
        </span>
        <span className="block text-muted md:hidden">
          Last seen <RelativeTime at={session.lastSeenAt} />
        </span>
      </>
    ),
  },
  {
    head: "Signed in",
    from: "md",
    width: "w-40",
    muted: true,
    cell: ({ createdAt }) => <RelativeTime at={createdAt} />,
  },
  {
    head: "Last seen",
    from: "md",
    width: "w-40",
    muted: true,
    cell: ({ lastSeenAt }) => <RelativeTime at={lastSeenAt} />,
  },
  {
    head: "Actions",
    headHidden: true,
    width: "w-28",
    cellClassName: "py-2 pr-3 text-right",
    cell: (session) => (session.current ? null : <EndSession session={session} />),
  },
]

function EndSession({ session }: { session: OpenSessionWire }) {
  const end = useEndSession()
  const name = deviceName(session)
  async function confirm() {
    await end.mutateAsync({ params: { sessionId: session.id } })
    toast.success(`${name} is signed out`)
  }
  return (
    <ConfirmDialog
      trigger={<Button aria-label={`Sign out ${name}`}>Sign out</Button>}
      title={`Sign out ${name}?`}
      action="Sign out"
      tone="primary"
      onConfirm={confirm}
    >
      It is signed out within a second{session.ip ? `; it signed in from ${session.ip}` : ""}. If you do not know it,
      also change your password.
    </ConfirmDialog>
  )
}

function deviceName({ browser, system }: OpenSessionWire): string {
  if (browser && system) return `${browser} on ${system}`
  return browser ?? system ?? "Unknown browser"
}

/** How a session was opened, after an address: "192.0.2.1, by password". */
function signInWayWords(signedInBy: string, provider = "single sign-on"): string {
  if (signedInBy === "password") return "by password"
  if (signedInBy === "link") return "by a sign-in link"
  if (signedInBy === "passkey") return "with a passkey"
  if (signedInBy === "github") return "with GitHub"
  if (signedInBy === "google") return "with Google"
  if (signedInBy === "oidc") return `with ${provider}`
  return ""
}
