"use client"

import { keepPreviousData, useQuery } from "@tanstack/react-query"
import { Users } from "lucide-react"
import type { Broadcast } from "@/components/broadcasts/queries"
import { ResourceList } from "@/components/data/resource-list"
import { addressWithoutName } from "@/components/emails/address"
import { countsQuery, type Email, emailsQuery } from "@/components/emails/queries"
import { StatusChips } from "@/components/emails/status-chips"
import { EmailStatusPill } from "@/components/emails/status-pill"
import { useAddressParam, usePageParam } from "@/components/layout/use-address-param"
import { CardHeader } from "@/components/ui/card"
import { EmptyState } from "@/components/ui/empty-state"
import { RelativeTime } from "@/components/ui/relative-time"
import { RowLink, type Column } from "@/components/ui/table"
import { emailStatuses, type EmailStatus } from "@/lib/emails/message-rules"

const refreshMs = 5_000

/** Who got it and what became of it for each, by outcome. */
export function PeopleCard({ projectId, broadcast }: { projectId: string; broadcast: Broadcast }) {
  const [page, setPage] = usePageParam()
  const [outcome, setOutcome] = useAddressParam("outcome")
  const chosen = emailStatuses.filter((status) => outcome?.split(",").includes(status))
  const of = { broadcastId: broadcast.id }
  const polling = { placeholderData: keepPreviousData, refetchInterval: refreshMs }
  const list = useQuery({ ...emailsQuery(projectId, { ...of, page, status: chosen.join(",") }), ...polling })
  const counts = useQuery({ ...countsQuery(projectId, of), ...polling }).data
  if (broadcast.counts.accepted === 0) return null

  function choose(statuses: EmailStatus[]) {
    setPage(1)
    setOutcome(statuses.length ? statuses.join(",") : null)
  }
  return (
    <ResourceList
      label="People"
      list={list}
      page={[page, setPage]}
      columns={columns}
      keyOf={({ id }) => id}
      href={({ id }) => `/projects/${projectId}/emails/${id}`}
      header={
        <>
          <CardHeader title="People" description="What became of it for each of them" />
          <div className="border-b border-line px-4 py-2.5">
            <StatusChips counts={counts} chosen={chosen} onChoose={choose} />
          </div>
        </>
      }
      empty={
        <EmptyState icon={<Users />} title="Nobody with this outcome">
          Choose another one, or all.
        </EmptyState>
      }
    />
  )
}

const columns: Column<Email>[] = [
  {
    head: "Person",
    cellClassName: "[overflow-wrap:anywhere]",
    cell: ({ to }, href) => (
      <RowLink href={href} prefetch={false}>
        {addressWithoutName(to[0] ?? "")}
      </RowLink>
    ),
  },
  { head: "Outcome", width: "w-32", cell: ({ status }) => <EmailStatusPill status={status} inTable /> },
  {
    head: "Accepted",
    from: "sm",
    width: "w-36",
    numeric: true,
    muted: true,
    cell: ({ createdAt }) => <RelativeTime at={createdAt} />,
  },
]
