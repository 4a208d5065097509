"use client"

import { usePathname, useRouter, useSearchParams } from "next/navigation"
import { type ReactNode, useEffect, useState, useSyncExternalStore } from "react"
import { useRecents } from "@/components/layout/palette/recents"
import { Card, Columns } from "@/components/ui/card"
import { ConfirmDialog } from "@/components/ui/confirm-dialog"
import {
  dropUnsaved,
  type SaveChanges,
  settleLeaving,
  useLeaving,
  noteReturn,
  wayToFocus,
} from "@/components/ui/leaving"
import { Skeleton, SkeletonRows } from "@/components/ui/loading"

/** What covers a page while the next one comes, and what is said when it cannot be left. */
export default function Ways({ projectId, signedOut }: { projectId: string; signedOut: boolean }) {
  const path = usePathname()
  const router = useRouter()
  const { wanted, held } = useLeaving()
  useReturn()
  useRecents(projectId)

  function leave() {
    dropUnsaved()
    settleLeaving()
    if (held?.href) router.push(held.href)
  }
  return (
    <div data-ways className="contents">
      {signedOut ? <SignedOutNote /> : null}
      <OfflineNote wanted={held?.why === "offline" ? held.href : undefined} />
      {wanted && wanted !== path ? (
        <Cover key={wanted}>
          <PageSkeleton shape={pageShape(wanted)} />
        </Cover>
      ) : null}
      {held?.why === "unsaved" ? <LeaveQuestion save={held.save} leave={leave} /> : null}
    </div>
  )
}

/** Changes that can be saved as they are, are saved first if the person says so; what is refused stays on the page and says why. */
function LeaveQuestion({ save, leave }: { save?: SaveChanges; leave: () => void }) {
  if (!save)
    return (
      <ConfirmDialog open onOpenChange={settleLeaving} title="Leave without saving?" action="Leave" onConfirm={leave}>
        Your changes on this page are not saved.
      </ConfirmDialog>
    )
  return (
    <ConfirmDialog
      open
      onOpenChange={settleLeaving}
      title="Save your changes?"
      action="Save and leave"
      tone="primary"
      onConfirm={async () => {
        if (await save()) leave()
      }}
      otherwise={{ action: "Leave without saving", onConfirm: leave }}
    >
      Your changes on this page are not saved.
    </ConfirmDialog>
  )
}

/** A page that is there this soon needs no placeholder: it would only flicker. */
const soonMs = 60

/** Lies over the page instead of replacing it, so that Back finds its scroll position. */
function Cover({ children }: { children: ReactNode }) {
  const [late, setLate] = useState(false)
  useEffect(() => {
    const timer = setTimeout(() => setLate(true), soonMs)
    return () => clearTimeout(timer)
  }, [])
  return late ? (
    <div className="fixed inset-x-0 top-[49px] bottom-0 z-20 overflow-hidden bg-bg px-4 pt-5 sm:px-6 lg:top-0 lg:left-58 lg:px-10 lg:pt-6">
      <div className="mx-auto max-w-360 has-data-list:max-w-none">{children}</div>
    </div>
  ) : null
}

/** Until a call succeeds again. Signing in is a tab of its own, so that this one keeps what was typed. */
function SignedOutNote() {
  const search = useSearchParams().toString()
  const wanted = usePathname() + (search && `?${search}`)
  return (
    <Note>
      <span>
        <b>You are signed out.</b> This page keeps everything you typed.
      </span>
      <a
        href={`/sign-in?callbackUrl=${encodeURIComponent(wanted)}`}
        target="_blank"
        className="underline underline-offset-2"
      >
        Sign in in a new tab
      </a>
    </Note>
  )
}

function Note({ children }: { children: ReactNode }) {
  return (
    <div
      role="alert"
      className="sticky top-14 z-20 mb-4 flex flex-wrap items-center justify-between gap-x-4 gap-y-2 rounded-lg border border-line-strong bg-warn-soft
        px-4 py-2.5 text-warn lg:top-3"
    >
      {children}
    </div>
  )
}

/** While there is no connection: nothing is lost, and what was clicked opens once it is back. */
function OfflineNote({ wanted }: { wanted?: string }) {
  const router = useRouter()
  const online = useSyncExternalStore(
    subscribe,
    () => navigator.onLine,
    () => true,
  )
  useEffect(() => {
    if (!online || !wanted) return
    settleLeaving()
    router.push(wanted)
  }, [online, wanted, router])
  if (online) return null
  return (
    <Note>
      <span>
        <b>You are offline.</b>{" "}
        {wanted ? "The page opens when you are back online." : "This page keeps everything you typed."}
      </span>
      {wanted ? (
        <button type="button" onClick={settleLeaving} className="underline underline-offset-2">
          Stay here
        </button>
      ) : null}
    </Note>
  )
}

function subscribe(listener: () => void): () => void {
  window.addEventListener("online", listener)
  window.addEventListener("offline", listener)
  return () => {
    window.removeEventListener("online", listener)
    window.removeEventListener("offline", listener)
  }
}

/** A page on its way, by the shape of what comes. Loaded with what leaves a page, so that no page carries it in its HTML. */
function PageSkeleton({ shape }: { shape: Shape }) {
  return (
    <div role="status" aria-label="Loading the page">
      <div className="mb-6 flex items-center justify-between">
        <Skeleton className="h-7 w-40" />
        <Skeleton className="h-8 w-28 rounded-md" />
      </div>
      {bodies[shape]}
    </div>
  )
}

const dayHeights = ["h-32 flex-1", "h-40 flex-1", "h-28 flex-1", "h-44 flex-1", "h-36 flex-1", "h-20 flex-1"]

/** As wide as the screen, as lists are; see AppShell. */
const list = (
  <Card data-list>
    <SkeletonRows rows={12} />
  </Card>
)

const object = (
  <>
    <Skeleton className="mb-6 w-96 max-w-full" />
    <Columns layout="start">
      <Card>
        <SkeletonRows rows={7} />
      </Card>
      <Card>
        <SkeletonRows rows={7} />
      </Card>
    </Columns>
  </>
)

const figures = (
  <div className="grid gap-4">
    <Card className="flex h-72 items-end gap-2 p-4">
      {Array.from({ length: 30 }, (_, day) => (
        <Skeleton key={day} className={dayHeights[day % dayHeights.length]} />
      ))}
    </Card>
    <Card>
      <SkeletonRows rows={5} />
    </Card>
  </div>
)

const form = (
  <Card className="grid max-w-180 gap-6 p-5">
    {["w-24", "w-32", "w-20", "w-28"].map((width) => (
      <div key={width} className="grid gap-2">
        <Skeleton className={width} />
        <Skeleton className="h-8 w-full rounded-md" />
      </div>
    ))}
  </Card>
)

const bodies: Record<Shape, ReactNode> = { list, object, figures, form }

type Shape = "list" | "object" | "figures" | "form"

/** The placeholder of a project's page, by its path, before the page has loaded. */
export function pageShape(path: string): Shape {
  const [area = "", one, two] = path.split("/").slice(3)
  if (area === "" || area === "metrics") return "figures"
  if (area === "settings" || one === "compose" || [one, two].some((part) => part === "new" || part === "edit"))
    return "form"
  return one && one !== "imports" && one !== "audit" ? "object" : "list"
}

/** On Back, the focus is on what was opened, as the browser restores the scroll position. */
function useReturn() {
  const path = usePathname()
  useEffect(() => {
    window.addEventListener("popstate", noteReturn)
    return () => window.removeEventListener("popstate", noteReturn)
  }, [])
  useEffect(() => {
    // Next shows a page that it has kept before others hear of the way back.
    const timer = setTimeout(() => {
      const href = wayToFocus()
      if (href) void import("@/components/ui/restore").then(({ restoreFocus }) => restoreFocus(href))
    })
    return () => clearTimeout(timer)
  }, [path])
}
