"use client"

import { useQueryClient } from "@tanstack/react-query"
import { X } from "lucide-react"
import { type ReactNode, useState } from "react"
import { May } from "@/components/access/powers"
import { call } from "@/components/data/call"
import { refetch } from "@/components/data/use-call"
import { bodyAgain } from "@/components/emails/curl"
import { type EmailFilters, isChosen, emailListQuery } from "@/components/emails/filters"
import { type Email, emailQuery, emailsQuery, exportAddress } from "@/components/emails/queries"
import { isCancellable, isRepeatable, type Selection } from "@/components/emails/selection"
import type { useCounts } from "@/components/emails/status-chips"
import { Button, IconButton } from "@/components/ui/button"
import { buttonStyle } from "@/components/ui/button-style"
import { ConfirmDialog } from "@/components/ui/confirm-dialog"
import { useTimeZone } from "@/components/ui/local-time"
import { toast } from "@/components/ui/toast"
import { Tooltip } from "@/components/ui/tooltip"
import { presentBody } from "@/lib/emails/message-rules"
import { formatNumber } from "@/lib/platform/format"

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
  const { page: _page, size: _size, ...choice } = emailListQuery(filters, useTimeZone())
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
    const status = statuses
      .map((one) => one.status)
      .filter(isRepeatable)
      .join(",")
    const ids = selection.all ? (await pageOf(projectId, { ...choice, status })).map(idOf) : idsOf(isRepeatable)
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

/** Emails that one request cancels, and that can be sent again together. */
const togetherMax = 100

type Choice = Omit<NonNullable<Parameters<typeof emailsQuery>[1]>, "page" | "size">

/** Cancels these emails; returns how many were still scheduled. */
async function cancelThese(projectId: string, ids: readonly string[]): Promise<number> {
  const { cancelled } = await call("POST /v1/projects/{projectId}/emails/cancel", {
    params: { projectId },
    body: { ids: [...ids] },
  })
  return cancelled
}

/** Cancels all scheduled emails that the filters leave, a hundred at a time; returns their number. */
async function cancelAll(projectId: string, choice: Choice): Promise<number> {
  for (let cancelled = 0; ;) {
    const emails = await pageOf(projectId, { ...choice, status: "scheduled" })
    const done = emails.length ? await cancelThese(projectId, emails.map(idOf)) : 0
    // Emails sent in the meantime are no longer scheduled.
    if (done === 0) return cancelled
    cancelled += done
  }
}

/** The emails that the filters leave, up to `togetherMax`. */
async function pageOf(projectId: string, choice: Choice): Promise<Email[]> {
  const { params, query } = inputOf(emailsQuery(projectId, { ...choice, size: togetherMax }))
  return (await call("GET /v1/projects/{projectId}/emails", { params, query })).data
}

/**
 * Sends each once more; those whose content is not kept any more are left out. `attempt` makes the same press the same
 * request, so that a repeated call makes no second email.
 */
async function sendAgain(projectId: string, ids: readonly string[], attempt: string) {
  let sent = 0
  for (const emailId of ids) {
    const { params } = inputOf(emailQuery(projectId, emailId))
    const email = await call("GET /v1/projects/{projectId}/emails/{emailId}", { params })
    const kept = presentBody(email.html) !== undefined || presentBody(email.text) !== undefined
    if (!kept || !isRepeatable(email.status)) continue
    const body = { ...bodyAgain(email), idempotencyKey: `again-${attempt}-${emailId}` }
    await call("POST /v1/emails", { query: { projectId }, body })
    sent += 1
  }
  return { sent, left: ids.length - sent }
}

function inputOf<I>({ queryKey: [, input] }: { queryKey: readonly [string, I] }): I {
  return input
}

function idOf({ id }: Email): string {
  return id
}
