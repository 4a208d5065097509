"use client"

import { useQueryClient } from "@tanstack/react-query"
import { X } from "lucide-react"
import { useState, type ReactNode } from "react"
import { formatNumber } from "@/lib/platform/format"
import { May } from "@/components/access/powers"
import { refetch } from "@/components/data/refetch"
import { cancelAll, cancelThese, pageOf, sendAgain, togetherMax } from "@/components/emails/bulk-actions"
import { exportAddress } from "@/components/emails/export-address"
import { isChosen, toListQuery, type EmailFilters } from "@/components/emails/filters"
import { isCancellable, isRepeatable, type Selection } from "@/components/emails/selection"
import type { useCounts } from "@/components/emails/status-chips"
import type { Email } from "@/components/emails/types"
import { Button } from "@/components/ui/button"
import { buttonStyle } from "@/components/ui/button-style"
import { ConfirmDialog } from "@/components/ui/confirm-dialog"
import { IconButton } from "@/components/ui/icon-button"
import { toast } from "@/components/ui/toast"
import { Tooltip } from "@/components/ui/tooltip"

type BulkBarProps = {
  projectId: string
  filters: EmailFilters
  emails: Email[]
  selection: Selection
  counts: ReturnType<typeof useCounts>
  onSelectAll: () => void
  onClear: () => void
}

/** What can be done to the selected emails, each action with the number that it applies to. */
export function BulkBar({ projectId, filters, emails, selection, counts, onSelectAll, onClear }: BulkBarProps) {
  const client = useQueryClient()
  const { page: _page, size: _size, ...choice } = toListQuery(filters)
  const statuses = counts?.statuses.filter(({ status }) => isChosen(filters, status)) ?? []
  const total = sum(statuses)
  const more = counts?.complete ? "" : "+"
  const chosen = emails.filter(({ id }) => selection.ids.includes(id))
  const numberOf = (applies: (status: string) => boolean) =>
    selection.all
      ? sum(statuses.filter(({ status }) => applies(status)))
      : chosen.filter(({ status }) => applies(status)).length
  const [cancellable, repeatable] = [numberOf(isCancellable), numberOf(isRepeatable)]
  const selected = selection.all ? total : selection.ids.length
  const words = (count: number) => `${formatNumber(count)}${selection.all ? more : ""}`
  const idsOf = (applies: (status: string) => boolean) =>
    chosen.filter(({ status }) => applies(status)).map(({ id }) => id)

  async function cancel() {
    const done = selection.all ? await cancelAll(projectId, choice) : await cancelThese(projectId, idsOf(isCancellable))
    finish(`${formatNumber(done)} ${done === 1 ? "email" : "emails"} cancelled`)
  }
  async function again(attempt: string) {
    const ids = selection.all
      ? (await pageOf(projectId, choice)).filter(({ status }) => isRepeatable(status)).map(({ id }) => id)
      : idsOf(isRepeatable)
    const { sent, left } = await sendAgain(projectId, ids, attempt)
    const missed = left ? `, ${left} not sent again: their content is no longer stored` : ""
    finish(`${sent} ${sent === 1 ? "email" : "emails"} sent again${missed}`)
  }
  function finish(text: string) {
    toast.success(text)
    onClear()
    void refetch(client, ["GET /v1/projects/{projectId}/emails", "GET /v1/projects/{projectId}/emails/counts"])
  }

  return (
    <div
      role="region"
      aria-label="Selected emails"
      className="sticky bottom-0 z-20 flex animate-appear items-center gap-2 border-t border-line-strong bg-panel px-3 py-2.5
        @2xl:bottom-5 @2xl:mx-auto @2xl:mb-5 @2xl:w-max @2xl:rounded-lg @2xl:border @2xl:py-1.5 @2xl:pr-2 @2xl:pl-4 @2xl:shadow-float"
    >
      <span className="mr-auto font-medium whitespace-nowrap tabular-nums" aria-live="polite">
        {words(selected)} <span className="hidden @2xl:inline">selected</span>
      </span>
      {selection.all || total <= selection.ids.length ? null : (
        <Button variant="link" className="mx-2 hidden text-muted underline @2xl:inline-flex" onClick={onSelectAll}>
          Select all {formatNumber(total)}
          {more}
        </Button>
      )}
      <May permission="emails:send">
        <Action
          label="Cancel"
          count={cancellable}
          shown={words(cancellable)}
          why={cancellable ? null : "Only scheduled emails can be cancelled."}
          title={`Cancel ${words(cancellable)} scheduled ${cancellable === 1 ? "email" : "emails"}?`}
          action={cancellable === 1 ? "Cancel email" : "Cancel emails"}
          onConfirm={cancel}
        >
          They will not be sent. They stay in the log.
        </Action>
        <Again count={repeatable} shown={words(repeatable)} onConfirm={again} />
      </May>
      <a
        href={exportAddress(projectId, selection.all ? choice : { ids: selection.ids.join(",") })}
        download
        className={buttonStyle({})}
      >
        Export <span className="font-normal text-muted tabular-nums">{words(selected)}</span>
      </a>
      <IconButton label="Clear selection" icon={<X />} onClick={onClear} />
    </div>
  )
}

function sum(statuses: { count: number }[]): number {
  return statuses.reduce((all, { count }) => all + count, 0)
}

function Again({
  count,
  shown,
  onConfirm,
}: {
  count: number
  shown: string
  onConfirm: (attempt: string) => Promise<void>
}) {
  const [attempt] = useState(() => Date.now().toString(36))
  const why =
    count === 0
      ? "These emails are still being sent. Sending them again would send two."
      : count > togetherMax
        ? `At most ${togetherMax} emails can be sent again together.`
        : null
  return (
    <Action
      label="Send again"
      count={count}
      shown={shown}
      why={why}
      title={`Send ${shown} ${count === 1 ? "email" : "emails"} again?`}
      action={count === 1 ? "Send email" : "Send emails"}
      onConfirm={() => onConfirm(attempt)}
    >
      Each becomes a new email with the same content, without attachments and custom headers.
    </Action>
  )
}

type ActionProps = {
  label: string
  count: number
  shown: string
  /** Why it cannot be done now. */
  why: string | null
  title: string
  action: string
  onConfirm: () => Promise<void>
  children: ReactNode
}

function Action({ label, shown, why, title, action, onConfirm, children }: ActionProps) {
  const button = (
    <Button disabled={why !== null}>
      {label} <span className="font-normal text-muted tabular-nums">{shown}</span>
    </Button>
  )
  if (why !== null) return <Tooltip text={why}>{button}</Tooltip>
  return (
    <ConfirmDialog trigger={button} title={title} action={action} onConfirm={onConfirm}>
      {children}
    </ConfirmDialog>
  )
}
