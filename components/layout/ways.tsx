"use client"

import { usePathname, useRouter } from "next/navigation"
import { useEffect, useState, type ReactNode } from "react"
import { ConfirmDialog } from "@/components/ui/confirm-dialog"
import { dropUnsaved, settle, useLeaving } from "@/components/ui/leaving"
import { OfflineNote } from "@/components/layout/offline-note"
import { shapeOf } from "@/components/layout/page-shape"
import { PageSkeleton } from "@/components/layout/page-skeleton"
import { useRecents } from "@/components/layout/palette/use-recents"
import { useReturn } from "@/components/layout/use-return"

/** What covers a page while the next one comes, and what is said when it cannot be left. */
export default function Ways({ projectId }: { projectId: string }) {
  const path = usePathname()
  const router = useRouter()
  const { wanted, held } = useLeaving()
  useReturn()
  useRecents(projectId)

  function leave() {
    dropUnsaved()
    settle()
    if (held?.href) router.push(held.href)
  }
  return (
    <div data-ways className="contents">
      <OfflineNote wanted={held?.why === "offline" ? held.href : undefined} />
      {wanted && wanted !== path ? (
        <Cover key={wanted}>
          <PageSkeleton shape={shapeOf(wanted)} />
        </Cover>
      ) : null}
      {held?.why === "unsaved" ? (
        <ConfirmDialog open onOpenChange={settle} title="Leave without saving?" action="Leave" onConfirm={leave}>
          Your changes on this page are not saved.
        </ConfirmDialog>
      ) : null}
    </div>
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
