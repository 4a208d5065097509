"use client"

import { keepPreviousData, useQuery } from "@tanstack/react-query"
import { dynamic } from "@/components/ui/dynamic"
import { useQueryStates } from "nuqs"
import { useCallback, type FocusEvent } from "react"
import { EmailRows } from "@/components/emails/email-rows"
import { EmailsEmpty } from "@/components/emails/emails-empty"
import { EmailsFilters } from "@/components/emails/emails-filters"
import { EmailsSkeleton } from "@/components/emails/emails-skeleton"
import type { Step } from "@/components/data/filter-input"
import { emailFilters, isFiltered, toListQuery, type EmailFilters } from "@/components/emails/filters"
import { onListKey } from "@/components/emails/list-keys"
import { LoadError } from "@/components/data/load-error"
import { emailsQuery } from "@/components/emails/queries"
import { StatusChips, useCounts } from "@/components/emails/status-chips"
import type { Sending } from "@/components/emails/use-first-curl"
import { useHeld, useScrolled } from "@/components/emails/use-held"
import { useSelection } from "@/components/emails/use-selection"
import { cn } from "@/components/ui/cn"
import { Pagination } from "@/components/ui/pagination"

const BulkBar = dynamic(() => import("@/components/emails/bulk-bar").then((module) => module.BulkBar), { ssr: false })
const Peek = dynamic(() => import("@/components/emails/peek").then((module) => module.Peek), { ssr: false })

const refreshMs = 5_000

/** The email log: search, filters, page and the email beside it are in the URL, and new emails appear without a reload. */
export function EmailsList({ projectId, sending }: { projectId: string; sending: Sending }) {
  const [filters, setFilters] = useQueryStates(emailFilters)
  const change = useCallback(
    (next: Partial<EmailFilters>, history: Step) => void setFilters({ ...next, page: 1, peek: "" }, { history }),
    [setFilters],
  )
  const query = toListQuery(filters)
  const list = JSON.stringify(query)
  const read = useQuery({
    ...emailsQuery(projectId, query),
    placeholderData: keepPreviousData,
    refetchInterval: refreshMs,
  })
  const counts = useCounts(projectId, filters)

  const { selection, select, ...bulk } = useSelection(list, idsOf(read.data?.data))
  const selecting = selection.all || selection.ids.length > 0
  const held = useHeld({
    list: read.isPlaceholderData ? "" : list,
    emails: read.data?.data ?? none,
    hold: useScrolled() || selecting || filters.peek !== "" || filters.page > 1,
  })
  const peek = useCallback(
    (id: string, history: Step = "replace") => void setFilters({ peek: id || null }, { history }),
    [setFilters],
  )
  function onFocus({ target }: FocusEvent<HTMLElement>) {
    const id = target.dataset.email
    if (filters.peek && id && id !== filters.peek) peek(id)
  }

  return (
    <>
      <EmailsFilters projectId={projectId} filters={filters} onChange={change}>
        <StatusChips
          counts={counts}
          total={isFiltered(filters) || read.isPlaceholderData ? undefined : read.data?.page.total}
          chosen={filters.status}
          onChoose={(status) => change({ status }, "push")}
        />
      </EmailsFilters>
      <div
        className={cn(
          "-mx-4 border-t border-line bg-panel sm:-mx-6 lg:-mx-10",
          filters.peek && "xl:grid xl:grid-cols-[minmax(0,1fr)_408px] min-[1680px]:grid-cols-[minmax(0,1fr)_432px]",
        )}
        onFocus={onFocus}
        onKeyDown={(event) =>
          onListKey(event, {
            peek: filters.peek,
            onPeek: peek,
            onSelect: select,
            onSelectLoaded: bulk.selectLoaded,
            onClear: bulk.clear,
          })
        }
      >
        <section
          aria-label="Emails"
          className={cn("@container min-w-0", read.isPlaceholderData && "opacity-60 transition-opacity delay-150")}
        >
          {read.isPending ? <EmailsSkeleton /> : null}
          {read.isError && !read.data ? (
            <LoadError error={read.error} onRetry={() => void read.refetch()} retrying={read.isFetching} />
          ) : null}
          {held.waiting > 0 && held.shown.length > 0 && filters.page === 1 ? (
            <NewEmails
              count={held.waiting}
              onShow={() => {
                held.release()
                window.scrollTo(0, 0)
              }}
            />
          ) : null}
          {held.shown.length > 0 ? (
            <EmailRows
              projectId={projectId}
              filters={filters}
              emails={held.shown}
              hasNext={read.data?.page.hasNextPage ?? false}
              selection={selection}
              onSelect={select}
            />
          ) : null}
          {read.data?.data.length === 0 ? (
            <EmailsEmpty
              projectId={projectId}
              sending={sending}
              filters={filters}
              onClear={() => void setFilters(null, { history: "push" })}
            />
          ) : null}
          {read.data ? (
            <Pagination
              page={read.data.page.page}
              hasNext={read.data.page.hasNextPage}
              hasPrevious={read.data.page.hasPreviousPage}
              total={read.data.page.total}
              totalPages={read.data.page.totalPages}
              className="sm:px-6 lg:px-10"
              noun="emails"
              pending={read.isPlaceholderData}
              onPage={(page) => {
                void setFilters({ page, peek: "" }, { history: "push" })
                window.scrollTo(0, 0)
              }}
            />
          ) : null}
          {selecting ? (
            <BulkBar
              projectId={projectId}
              filters={filters}
              emails={held.shown}
              selection={selection}
              counts={counts}
              onSelectAll={bulk.selectAll}
              onClear={bulk.clear}
            />
          ) : null}
        </section>
        {filters.peek ? <Peek projectId={projectId} emailId={filters.peek} onPeek={peek} /> : null}
      </div>
    </>
  )
}

const none: never[] = []

function idsOf(emails: readonly { id: string }[] = none): string[] {
  return emails.map(({ id }) => id)
}

function NewEmails({ count, onShow }: { count: number; onShow: () => void }) {
  return (
    <button
      type="button"
      onClick={onShow}
      className="sticky top-12.25 z-20 block h-8 w-full border-b border-line bg-accent-soft text-sm font-medium text-accent lg:top-0"
    >
      <span aria-live="polite">
        {count >= 50 ? "50+" : count} new {count === 1 ? "email" : "emails"}
      </span>
    </button>
  )
}
