"use client"

import { useInfiniteQuery } from "@tanstack/react-query"
import { Bell } from "lucide-react"
import { problemOf } from "@/components/data/call"
import { NotLoaded } from "@/components/data/load-error"
import { useCall } from "@/components/data/use-call"
import { endlessNotices, personNoticesRoute, type PersonNotice } from "@/components/notices/queries"
import { operatorNoticesRoute } from "@/components/operator/queries"
import { Button } from "@/components/ui/button"
import { Dialog } from "@/components/ui/dialog"
import { EmptyState } from "@/components/ui/empty-state"
import { Pill } from "@/components/ui/pill"
import { useReaderTimes } from "@/components/ui/local-time"
import { RelativeTime } from "@/components/ui/relative-time"
import { TextLink } from "@/components/ui/text"
import { toast } from "@/components/ui/toast"

type NoticeDialogProps = {
  /** The project that is open, below which pages of operators are. */
  projectId: string
  onClose: () => void
}

/** What the person is told of in all their projects, the latest first. */
export default function NoticeDialog({ projectId, onClose }: NoticeDialogProps) {
  const read = useInfiniteQuery(endlessNotices())
  const mark = useCall("PUT /v1/session/notice-reads", [personNoticesRoute, operatorNoticesRoute])
  const onError = (error: Error) =>
    toast.error("The notices were not marked as read", { description: problemOf(error).detail })
  const notices = read.data?.pages.flatMap(({ data }) => data) ?? []
  const [latest] = notices
  const unread = read.data?.pages[0]?.unread ?? 0
  return (
    <Dialog
      open
      onOpenChange={onClose}
      size="large"
      title="Notices"
      description="What needs you in your projects: the same as by mail to their owners. Notices are kept for 90 days."
      footer={
        unread > 0 && latest ? (
          <Button loading={mark.isPending} onClick={() => mark.mutate({ body: { upTo: latest.at } }, { onError })}>
            Mark all as read
          </Button>
        ) : null
      }
    >
      {!read.data ? (
        <NotLoaded read={read} label="notices" rows={4} />
      ) : notices.length === 0 ? (
        <EmptyState icon={<Bell />} title="No notices">
          Nothing needs you.
        </EmptyState>
      ) : (
        <ul aria-label="Notices" className="divide-y divide-line">
          {notices.map((notice) => (
            <Item key={notice.id} notice={notice} projectId={projectId} onOpen={onClose} />
          ))}
        </ul>
      )}
      {read.hasNextPage ? (
        <p className="pt-3">
          <Button loading={read.isFetchingNextPage} onClick={() => void read.fetchNextPage()}>
            Show older
          </Button>
        </p>
      ) : null}
    </Dialog>
  )
}

type ItemProps = { notice: PersonNotice; projectId: string; onOpen: () => void }

function Item({ notice, projectId, onOpen }: ItemProps) {
  const { title, message, details, page, project, at, read } = notice
  const inReaderTime = useReaderTimes()
  return (
    <li className="py-3 [overflow-wrap:anywhere]">
      <div className="flex items-baseline justify-between gap-4">
        <TextLink
          href={`/projects/${notice.projectId ?? projectId}/${page}`}
          onClick={onOpen}
          className="min-w-0 font-medium"
        >
          {title}
        </TextLink>
        {read ? null : (
          <Pill tone="bad" inTable className="shrink-0">
            Unread
          </Pill>
        )}
      </div>
      <p className="mt-1">{inReaderTime(message)}</p>
      {details.map((detail, index) => (
        <p key={index} className="mt-1 text-muted">
          {inReaderTime(detail)}
        </p>
      ))}
      <p className="mt-1 text-xs text-muted">
        {project ? `${project}, ` : ""}
        <RelativeTime at={at} />
      </p>
    </li>
  )
}
