"use client"

import { keepPreviousData, useQuery } from "@tanstack/react-query"
import { Mail, PenLine } from "lucide-react"
import { useQueryStates } from "nuqs"
import { type FocusEvent, useCallback, useState, useSyncExternalStore } from "react"
import type { FilterStep } from "@/components/data/filter-input"
import { LoadError } from "@/components/data/load-error"
import { useCountsOf } from "@/components/data/use-call"
import { EmailRows } from "@/components/emails/email-rows"
import { EmailsFilters } from "@/components/emails/emails-filters"
import { emailFilters, type EmailFilters, hasEmailFilters, emailListQuery } from "@/components/emails/filters"
import { onListKey } from "@/components/emails/list-keys"
import { type Email, emailsQuery, exportAddress } from "@/components/emails/queries"
import { extended, nothingSelected, type Selection, withToggled } from "@/components/emails/selection"
import { StatusChips, useCounts } from "@/components/emails/status-chips"
import { type FirstSending, useFirstCurl } from "@/components/emails/curl"
import { Button } from "@/components/ui/button"
import { cn } from "@/components/ui/cn"
import { dynamic } from "@/components/late-parts/dynamic"
import { FirstAction } from "@/components/data/first-action"
import { EmptyState } from "@/components/ui/empty-state"
import { useTimeZone } from "@/components/ui/local-time"
import { Pagination } from "@/components/ui/pagination"
import { Skeleton } from "@/components/ui/loading"
import { ExportLink } from "@/components/data/export-link"
import { NuqsAdapter } from "nuqs/adapters/next/app"

const BulkBar = dynamic(() => import("@/components/emails/bulk-bar").then((module) => module.BulkBar), { ssr: false })
const Peek = dynamic(() => import("@/components/emails/peek").then((module) => module.Peek), { ssr: false })

const refreshMs = 5_000

/** The email log: search, filters, page and the email beside it are in the URL, and new emails appear without a reload. */
export function EmailsList({ projectId, sending }: { projectId: string; sending: FirstSending }) {
  const [filters, setFilters] = useQueryStates(emailFilters)
  const change = useCallback(
    (next: Partial<EmailFilters>, history: FilterStep) => void setFilters({ ...next, page: 1, peek: "" }, { history }),
    [setFilters],
  )
  const query = emailListQuery(filters, useTimeZone())
  const list = JSON.stringify(query)
  const read = useQuery({
    ...emailsQuery(projectId, query),
    placeholderData: keepPreviousData,
    refetchInterval: refreshMs,
  })
  const counts = useCounts(projectId, filters)
  useCountsOf(read.isPlaceholderData ? undefined : read.data?.page.total)

  const { selection, ...bulk } = useSelection(list)
  const selecting = selection.all || selection.ids.length > 0
  const held = useHeld({
    list: read.isPlaceholderData ? "" : list,
    emails: read.data?.data ?? none,
    hold: useScrolled() || selecting || filters.peek !== "" || filters.page > 1,
  })
  // Of the rows that are shown: newer ones that wait are not what anybody means.
  const rows = idsOf(held.shown)
  const select = (id: string, range: boolean) => bulk.select(id, range, rows)
  const peek = useCallback(
    (id: string, history: FilterStep = "replace") => void setFilters({ peek: id || null }, { history }),
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
          total={hasEmailFilters(filters) || read.isPlaceholderData ? undefined : read.data?.page.total}
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
            onSelectLoaded: () => bulk.selectLoaded(rows),
            onClear: bulk.clear,
          })
        }
      >
        <section
          aria-label="Emails"
          aria-busy={read.isPlaceholderData}
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
              onFirst={() => void setFilters({ page: 1 }, { history: "push" })}
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

type EmailsEmptyProps = {
  projectId: string
  sending: FirstSending
  filters: EmailFilters
  onClear: () => void
  onFirst: () => void
}

/** Instead of rows: that nothing matches, that the page is beyond the last, or what the log of a project will hold that has sent nothing. */
function EmailsEmpty({ projectId, sending, filters, onClear, onFirst }: EmailsEmptyProps) {
  if (filters.page > 1)
    return (
      <EmptyState title="Nothing on this page" action={<Button onClick={onFirst}>First page</Button>}>
        There are fewer emails than this page is for.
      </EmptyState>
    )
  if (!hasEmailFilters(filters)) return <NoEmails projectId={projectId} sending={sending} />
  const { search } = filters
  return (
    <EmptyState
      title={search ? `No emails match “${search}”` : "No email matches"}
      action={<Button onClick={onClear}>{search ? "Clear search" : "Clear filters"}</Button>}
    >
      Each word of a search must occur somewhere in the recipient, the sender, the subject, the ID or a tag.
    </EmptyState>
  )
}

function NoEmails({ projectId, sending }: { projectId: string; sending: FirstSending }) {
  return (
    <EmptyState
      icon={<Mail />}
      title="No emails yet"
      action={
        <FirstAction permission="emails:send" icon={<PenLine />} href={`/projects/${projectId}/emails/compose`}>
          Compose
        </FirstAction>
      }
      curl={useFirstCurl(projectId, sending)}
    >
      Every email that this project sends is listed here, with its status and the responses of mail servers.
    </EmptyState>
  )
}

/** Rows of the list that is loading: bars in the places of address, status, subject and time. */
function EmailsSkeleton() {
  return (
    <div role="status" aria-label="Loading emails" className="@container">
      <div className="h-8 border-b border-line bg-sunken" />
      {Array.from({ length: 12 }, (_, row) => (
        <div
          key={row}
          className="flex h-16 items-center gap-4 border-b border-line px-4 sm:px-6 lg:px-10 @2xl:h-10 @2xl:pl-12 @2xl:lg:pl-18"
        >
          <Skeleton className={widths[row % widths.length]} />
          <Skeleton className="hidden w-20 @2xl:block" />
          <Skeleton className="hidden w-1/5 @2xl:block" />
          <Skeleton className="ml-auto w-10" />
        </div>
      ))}
    </div>
  )
}

const widths = ["w-1/3", "w-2/5", "w-1/4", "w-2/6", "w-3/8"]

type Held = {
  /** Names the list: another one is shown at once. */
  list: string
  emails: Email[]
  /** Somebody reads or works in the rows, so none may move. */
  hold: boolean
}

/** The rows to show: while they are held, those from before with the status of now. `waiting` are newer than all of them. */
function useHeld({ list, emails, hold }: Held) {
  const [kept, setKept] = useState({ list, emails })
  if (kept.emails !== emails && (!hold || kept.list !== list)) setKept({ list, emails })
  const now = new Map(emails.map((email) => [email.id, email]))
  const [newest] = kept.emails
  const waiting = newest ? emails.filter(({ id }) => id > newest.id).length : emails.length
  return {
    shown: kept.emails.map((email) => now.get(email.id) ?? email),
    waiting,
    release: () => setKept({ list, emails }),
  }
}

const farPixels = 120

/** Whether the page is scrolled beyond its head. */
function useScrolled(): boolean {
  return useSyncExternalStore(
    subscribe,
    () => window.scrollY > farPixels,
    () => false,
  )
}

function subscribe(listener: () => void) {
  window.addEventListener("scroll", listener, { passive: true })
  return () => window.removeEventListener("scroll", listener)
}

/** What is selected in a list; another list begins with nothing. */
function useSelection(list: string) {
  const [state, setState] = useState({ list, selection: nothingSelected })
  if (state.list !== list) setState({ list, selection: nothingSelected })
  const set = useCallback(
    (change: (before: Selection) => Selection) =>
      setState(({ list: same, selection }) => ({ list: same, selection: change(selection) })),
    [],
  )
  return {
    selection: state.selection,
    select: (id: string, range: boolean, rows: readonly string[]) =>
      set((before) => (range ? extended(before, rows, id) : withToggled(before, id))),
    selectLoaded: (rows: readonly string[]) => set(() => ({ ids: rows, anchor: null, all: false })),
    selectAll: () => set((before) => ({ ...before, all: true })),
    clear: () => set(() => nothingSelected),
  }
}

/** The whole log, or what the filters of the address leave of it. */
export function ExportEmails({ projectId }: { projectId: string }) {
  return (
    <NuqsAdapter>
      <FilteredExport projectId={projectId} />
    </NuqsAdapter>
  )
}

function FilteredExport({ projectId }: { projectId: string }) {
  const [filters] = useQueryStates(emailFilters)
  const { page: _page, size: _size, ...choice } = emailListQuery(filters, useTimeZone())
  return <ExportLink href={exportAddress(projectId, choice)} />
}
