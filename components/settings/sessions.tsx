"use client"

import { useQuery } from "@tanstack/react-query"
import { go } from "@/components/access/sign-in"
import { NotLoaded } from "@/components/data/load-error"
import { openSessions, useEndSession, useEndSessions } from "@/components/settings/queries"
import { Button } from "@/components/ui/button"
import { Card, CardFooter, CardHeader } from "@/components/ui/card"
import { ConfirmDialog } from "@/components/ui/confirm-dialog"
import { Pill } from "@/components/ui/pill"
import { RelativeTime } from "@/components/ui/relative-time"
import { type Column, DataTable } from "@/components/ui/table"
import { toast } from "@/components/ui/toast"
import type { OpenSessionWire } from "@/lib/access/sessions/schema"

/** Where the user is signed in, and the ways to end that. */
export function SessionsCard() {
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
