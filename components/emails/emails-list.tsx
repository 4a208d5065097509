"use client"

import { keepPreviousData, useQuery, type UseQueryResult } from "@tanstack/react-query"
import { useQueryStates } from "nuqs"
import { useCallback } from "react"
import { May } from "@/components/access/powers"
import { addressOf } from "@/components/api/route"
import { Button } from "@/components/ui/button"
import { Card, CardFooter } from "@/components/ui/card"
import { EmptyState } from "@/components/ui/empty-state"
import { Pagination } from "@/components/ui/pagination"
import { SkeletonRows } from "@/components/ui/skeleton"
import { CancelScheduled } from "@/components/emails/cancel-scheduled"
import { EmailsFilters } from "@/components/emails/emails-filters"
import { EmailsTable } from "@/components/emails/emails-table"
import type { Step } from "@/components/emails/filter-input"
import { emailFilters, isFiltered, toListQuery, type EmailFilters } from "@/components/emails/filters"
import { LoadError } from "@/components/emails/load-error"
import { emailsQuery } from "@/components/emails/queries"
import type { EmailPage } from "@/components/emails/types"
import { type Sending, useFirstCurl } from "@/components/emails/use-first-curl"
import { Mail } from "lucide-react"

const refreshMs = 5_000

/** The email log: filters and page are in the URL, and new emails appear without a reload. */
export function EmailsList({ projectId, sending }: { projectId: string; sending: Sending }) {
  const [filters, setFilters] = useQueryStates(emailFilters)
  const change = useCallback(
    (next: Partial<EmailFilters>, history: Step) => void setFilters({ ...next, page: 1 }, { history }),
    [setFilters],
  )
  const clear = useCallback(() => void setFilters(null, { history: "push" }), [setFilters])
  const emails = useQuery({
    ...emailsQuery(projectId, toListQuery(filters)),
    placeholderData: keepPreviousData,
    refetchInterval: refreshMs,
  })
  const filtered = isFiltered(filters)

  return (
    <>
      <EmailsFilters projectId={projectId} filters={filters} onChange={change} onClear={clear} />
      {filters.status === "scheduled" && emails.data?.data.length ? (
        <May permission="emails:send">
          <CancelScheduled projectId={projectId} />
        </May>
      ) : null}
      <Card aria-label="Emails">
        <Listed emails={emails} projectId={projectId} sending={sending} filtered={filtered} onClear={clear} />
        {emails.data ? (
          <Pagination
            page={emails.data.page.page}
            hasNext={emails.data.page.hasNextPage}
            hasPrevious={emails.data.page.hasPreviousPage}
            total={emails.data.page.total}
            totalPages={emails.data.page.totalPages}
            noun="emails"
            pending={emails.isPlaceholderData}
            onPage={(page) => void setFilters({ page }, { history: "push" })}
          />
        ) : null}
        {emails.data?.data.length ? (
          <CardFooter className="text-muted">
            <a href={exportAddress(projectId, filters)} download className="text-accent underline underline-offset-2">
              {filtered ? "Export these emails as CSV" : "Export all emails as CSV"}
            </a>
          </CardFooter>
        ) : null}
      </Card>
    </>
  )
}

/** The whole log, or what the filters leave of it; the browser takes it as a download while it is being read. */
function exportAddress(projectId: string, filters: EmailFilters): string {
  const { page: _page, ...chosen } = toListQuery(filters)
  return addressOf("GET /v1/projects/{projectId}/emails/export", { params: { projectId }, query: chosen }).address
}

type ListedProps = {
  emails: UseQueryResult<EmailPage>
  projectId: string
  sending: Sending
  filtered: boolean
  onClear: () => void
}

function Listed({ emails, projectId, sending, filtered, onClear }: ListedProps) {
  if (emails.isPending) return <SkeletonRows rows={10} label="Loading emails" />
  if (emails.isError && !emails.data) {
    return <LoadError error={emails.error} onRetry={() => void emails.refetch()} retrying={emails.isFetching} />
  }
  if (emails.data.data.length > 0) return <EmailsTable projectId={projectId} emails={emails.data.data} />
  if (filtered) {
    return (
      <EmptyState title="No email matches" action={<Button onClick={onClear}>Clear filters</Button>}>
        Recipient, tag and topic must be whole; sender and subject may be parts.
      </EmptyState>
    )
  }
  return <NoEmails projectId={projectId} sending={sending} />
}

/** The log of a project that has sent nothing: what it will hold, and a command to begin with. */
function NoEmails({ projectId, sending }: { projectId: string; sending: Sending }) {
  return (
    <EmptyState icon={<Mail />} title="No emails yet" curl={useFirstCurl(projectId, sending)}>
      Every email that this project sends is listed here, with its status and the responses of mail servers.
    </EmptyState>
  )
}
