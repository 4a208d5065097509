"use client"

import { useQuery } from "@tanstack/react-query"
import { Bell } from "lucide-react"
import Link from "next/link"
import { operatorNoticesQuery } from "@/components/operator/queries"

const refreshMs = 60_000

/** The way to the operator's notices, with how many are unread. */
export function NoticeBell({ projectId }: { projectId: string }) {
  const { data } = useQuery({ ...operatorNoticesQuery(), refetchInterval: refreshMs })
  const unread = data?.unread ?? 0
  return (
    <Link
      href={`/projects/${projectId}/settings/notices`}
      aria-label={unread > 0 ? `Notices, ${unread} unread` : "Notices"}
      title="Notices"
      className="flex h-8 shrink-0 items-center gap-1 rounded-md px-2 text-muted hover:bg-wait-soft hover:text-text"
    >
      <Bell aria-hidden="true" className="size-4" />
      {unread > 0 ? (
        <span aria-hidden="true" className="rounded-full bg-bad-soft px-1.5 text-xs font-medium text-bad tabular-nums">
          {unread}
        </span>
      ) : null}
    </Link>
  )
}
