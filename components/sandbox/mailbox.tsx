"use client"

import { keepPreviousData, useQuery } from "@tanstack/react-query"
import { Inbox } from "lucide-react"
import { LoadError } from "@/components/data/load-error"
import { useFirstCurl, type Sending } from "@/components/emails/use-first-curl"
import { usePageParam } from "@/components/layout/use-address-param"
import { Card } from "@/components/ui/card"
import { EmptyState } from "@/components/ui/empty-state"
import { Pagination } from "@/components/ui/pagination"
import { SkeletonRows } from "@/components/ui/skeleton"
import { MessagesTable } from "@/components/sandbox/messages-table"
import { messagesQuery } from "@/components/sandbox/queries"

const refreshMs = 5_000

/** Messages in the sandbox, newest first; new ones appear automatically. */
export function Mailbox({ projectId, sending }: { projectId: string; sending: Sending }) {
  const [page, setPage] = usePageParam()
  const messages = useQuery({
    ...messagesQuery(projectId, page),
    placeholderData: keepPreviousData,
    refetchInterval: refreshMs,
  })
  if (messages.isPending)
    return (
      <Card data-list>
        <SkeletonRows rows={8} label="Loading messages" />
      </Card>
    )
  if (!messages.data) {
    return (
      <Card data-list>
        <LoadError error={messages.error} onRetry={() => void messages.refetch()} retrying={messages.isFetching} />
      </Card>
    )
  }
  const { data, page: info } = messages.data
  return (
    <Card data-list aria-label="Messages" aria-busy={messages.isPlaceholderData}>
      {data.length > 0 ? (
        <MessagesTable projectId={projectId} messages={data} />
      ) : (
        <NoMessages projectId={projectId} sending={sending} />
      )}
      <Pagination
        page={info.page}
        hasNext={info.hasNextPage}
        hasPrevious={info.hasPreviousPage}
        total={info.total}
        totalPages={info.totalPages}
        noun="messages"
        pending={messages.isPlaceholderData}
        onPage={setPage}
      />
    </Card>
  )
}

function NoMessages({ projectId, sending }: { projectId: string; sending: Sending }) {
  return (
    <EmptyState icon={<Inbox />} title="The mailbox is empty" curl={useFirstCurl(projectId, sending)}>
      Send to any address: nothing leaves this machine. Each message appears here as its recipient would see it, with
      its DKIM, SPF and DMARC results.
    </EmptyState>
  )
}
