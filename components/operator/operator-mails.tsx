"use client"

import { keepPreviousData, useQuery } from "@tanstack/react-query"
import { Inbox } from "lucide-react"
import { ResourceList } from "@/components/data/resource-list"
import { usePageParam } from "@/components/layout/use-address-param"
import { receivedColumn, subjectColumn } from "@/components/emails/mail-columns"
import { mailReasons } from "@/components/operator/reasons"
import { operatorMailsQuery, senderName, type OperatorMailSummary } from "@/components/operator/queries"
import { EmptyState } from "@/components/ui/empty-state"
import { Pill } from "@/components/ui/pill"
import { RelativeTime } from "@/components/ui/relative-time"
import { RowLink, type Column } from "@/components/ui/table"

const refreshMs = 30_000

/** Mail to the addresses of the service, newest first; `root` is the address of this page. */
export function OperatorMails({ root }: { root: string }) {
  const page = usePageParam()
  const list = useQuery({
    ...operatorMailsQuery(page[0]),
    placeholderData: keepPreviousData,
    refetchInterval: refreshMs,
  })
  return (
    <ResourceList
      wide
      label="Mail"
      noun="mails"
      list={list}
      page={page}
      columns={columns}
      keyOf={({ id }) => id}
      href={({ id }) => `${root}/${id}`}
      empty={
        <EmptyState icon={<Inbox />} title="No mail yet">
          Mail to postmaster@, abuse@ and fbl@ of the service domain arrives here: complaints of people, questions of
          other operators, and the codes with which you enroll at feedback loops. So does what comes back for an email
          and can be neither read nor matched.
        </EmptyState>
      }
    />
  )
}

/** On a small screen the subject and the time are below the sender. */
const columns: Column<OperatorMailSummary>[] = [
  {
    head: "From",
    width: "sm:w-[26%]",
    cell: ({ from, subject, receivedAt }, href) => (
      <>
        <RowLink href={href} prefetch={false} className="block truncate" title={from}>
          {senderName(from)}
        </RowLink>
        <span className="mt-0.5 block truncate text-muted sm:hidden">{subject ?? "(no subject)"}</span>
        <RelativeTime at={receivedAt} className="mt-1 block text-xs text-muted sm:hidden" />
      </>
    ),
  },
  subjectColumn,
  {
    head: "Why it is here",
    from: "md",
    width: "w-[20%]",
    cell: ({ reason }) => (
      <Pill tone={mailReasons[reason].tone} tip={mailReasons[reason].tip} inTable>
        {mailReasons[reason].text}
      </Pill>
    ),
  },
  {
    head: "To",
    from: "xl",
    width: "w-[20%]",
    truncate: true,
    muted: true,
    title: ({ to }) => to,
    cell: ({ to }) => to,
  },
  receivedColumn,
]
