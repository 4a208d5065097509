"use client"

import { useQuery } from "@tanstack/react-query"
import { Bell } from "lucide-react"
import { useState } from "react"
import { dynamic } from "@/components/late-parts/dynamic"
import { unreadNoticesQuery } from "@/components/notices/queries"
import { unreadMax } from "@/lib/delivery/notices/rules"

const NoticeDialog = dynamic(() => import("@/components/notices/notice-dialog"), { ssr: false })

const refreshMs = 60_000

/** How many notices of the person are unread, and the way to them. */
export function NoticeBell({ projectId }: { projectId: string }) {
  const { data } = useQuery({ ...unreadNoticesQuery(), refetchInterval: refreshMs })
  const [open, setOpen] = useState(false)
  const unread = data?.unread ?? 0
  const shown = unread < unreadMax ? String(unread) : `${unreadMax - 1}+`
  return (
    <>
      <button
        type="button"
        aria-haspopup="dialog"
        aria-label={unread > 0 ? `Notices, ${shown} unread` : "Notices"}
        title="Notices"
        onClick={() => setOpen(true)}
        className="flex h-8 shrink-0 items-center gap-1 rounded-md px-2 text-muted hover:bg-wait-soft hover:text-text"
      >
        <Bell aria-hidden="true" className="size-4" />
        {unread > 0 ? (
          <span
            aria-hidden="true"
            className="rounded-full bg-bad-soft px-1.5 text-xs font-medium text-bad tabular-nums"
          >
            {shown}
          </span>
        ) : null}
      </button>
      {open ? <NoticeDialog projectId={projectId} onClose={() => setOpen(false)} /> : null}
    </>
  )
}
