"use client"

import { useQuery } from "@tanstack/react-query"
import { Bell } from "lucide-react"
import { problemOf } from "@/components/data/call"
import { NotLoaded } from "@/components/data/load-error"
import { useCall } from "@/components/data/use-call"
import { personNoticesRoute } from "@/components/notices/queries"
import { operatorNoticesQuery, operatorNoticesRoute } from "@/components/operator/queries"
import { Button } from "@/components/ui/button"
import { Card, CardHeader } from "@/components/ui/card"
import { EmptyState } from "@/components/ui/empty-state"
import { useReaderTimes } from "@/components/ui/local-time"
import { Pill } from "@/components/ui/pill"
import { RelativeTime } from "@/components/ui/relative-time"
import { TextLink } from "@/components/ui/text"
import { toast } from "@/components/ui/toast"

/** What the operators were told of, the latest first; `root` is the address of the settings. */
export function OperatorNotices({ root }: { root: string }) {
  const inReaderTime = useReaderTimes()
  const read = useQuery(operatorNoticesQuery())
  const { mutate, isPending } = useCall("PUT /v1/operator/notice-reads", [operatorNoticesRoute, personNoticesRoute])
  const onError = (error: Error) =>
    toast.error("The notices were not marked as read", { description: problemOf(error).detail })
  const { data: notices = [], unread = 0 } = read.data ?? {}
  const latest = notices[0]?.at
  return (
    <Card aria-label="Notices">
      <CardHeader
        title="Notices"
        description="A required row of the set-up that turns wrong, a destination that refuses an address, a day of a warm-up that repeats: once each, here and by mail."
        actions={
          unread > 0 && latest !== undefined ? (
            <Button loading={isPending} onClick={() => mutate({ body: { upTo: latest } }, { onError })}>
              Mark all as read
            </Button>
          ) : null
        }
      />
      {!read.data ? (
        <NotLoaded read={read} label="notices" rows={3} />
      ) : notices.length === 0 ? (
        <EmptyState icon={<Bell />} title="No notices">
          Nothing needs you. Notices are kept for 90 days.
        </EmptyState>
      ) : (
        <ul className="divide-y divide-line">
          {notices.map(({ id, at, title, message, fix, page, read: isRead }) => (
            <li key={id} className="px-4 py-3 [overflow-wrap:anywhere]">
              <div className="flex items-baseline justify-between gap-4">
                <TextLink href={`${root}/${page}`} className="min-w-0 font-medium">
                  {title}
                </TextLink>
                {isRead ? null : (
                  <Pill tone="bad" inTable className="shrink-0">
                    Unread
                  </Pill>
                )}
              </div>
              <p className="mt-1 text-muted">{inReaderTime(message)}</p>
              <p className="mt-1">{inReaderTime(fix)}</p>
              <RelativeTime at={at} className="mt-1 block text-xs text-muted" />
            </li>
          ))}
        </ul>
      )}
    </Card>
  )
}
