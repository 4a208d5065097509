"use client"

import { keepPreviousData, useQuery } from "@tanstack/react-query"
import { ChevronDown, ChevronUp, X } from "lucide-react"
import { PeekContent } from "@/components/emails/peek-content"
import { focusRow, rowOf } from "@/components/emails/list-keys"
import { LoadError } from "@/components/data/load-error"
import { emailQuery, explanationQuery } from "@/components/emails/queries"
import { pollEvery } from "@/components/emails/status"
import { useSettled } from "@/components/segments/use-settled"
import { StatusPill } from "@/components/emails/status-pill"
import { ButtonLink } from "@/components/ui/button"
import { IconButton } from "@/components/ui/icon-button"
import { Kbd } from "@/components/ui/kbd"
import { Skeleton } from "@/components/ui/skeleton"

type PeekProps = { projectId: string; emailId: string; onPeek: (id: string) => void }

/** Keys that follow each other sooner read only the last email. */
const pauseMs = 80

/** One email beside the list: the previous one stays until the next is read. */
export function Peek({ projectId, emailId, onPeek }: PeekProps) {
  const shownId = useSettled(emailId, pauseMs)
  const email = useQuery({ ...emailQuery(projectId, shownId), placeholderData: keepPreviousData })
  const explanation = useQuery({
    ...explanationQuery(projectId, shownId),
    placeholderData: keepPreviousData,
    refetchInterval: ({ state }) =>
      email.data && state.data ? pollEvery(email.data, state.data.recipients, Date.now()) : false,
  })
  const failed = [email, explanation].find(({ isError }) => isError)

  function go(step: 1 | -1) {
    const next = rowOf(emailId, step)?.dataset.email
    if (!next) return
    focusRow(next)
    onPeek(next)
  }
  function close() {
    onPeek("")
    focusRow(emailId)
  }

  return (
    <aside
      aria-label="Email"
      className="hidden border-l border-line bg-panel sm:block max-xl:fixed max-xl:inset-y-0 max-xl:right-0 max-xl:z-40 max-xl:w-[408px] max-xl:shadow-float"
    >
      <div className="flex h-full flex-col xl:sticky xl:top-0 xl:h-dvh">
        <div className="flex h-12 shrink-0 items-center gap-1 border-b border-line pr-2 pl-5">
          <span className="mr-auto">
            {email.data ? <StatusPill status={explanation.data?.status ?? email.data.status} /> : null}
          </span>
          <IconButton label="Previous email" icon={<ChevronUp />} onClick={() => go(-1)} />
          <IconButton label="Next email" icon={<ChevronDown />} onClick={() => go(1)} />
          <ButtonLink href={`/projects/${projectId}/emails/${emailId}`}>Open</ButtonLink>
          <IconButton label="Close" icon={<X />} onClick={close} />
        </div>
        <div
          tabIndex={0}
          role="region"
          aria-label="Email, scrolls"
          className="min-h-0 flex-1 overflow-y-auto -outline-offset-2"
        >
          {failed ? (
            <LoadError error={failed.error} onRetry={() => void failed.refetch()} retrying={failed.isFetching} />
          ) : email.data && explanation.data ? (
            <PeekContent projectId={projectId} email={email.data} explanation={explanation.data} />
          ) : (
            <Skeleton className="m-5 h-40" />
          )}
        </div>
        <p className="sticky bottom-0 hidden h-10 shrink-0 items-center justify-between gap-2 border-t border-line bg-panel px-4 text-xs whitespace-nowrap text-muted xl:flex">
          {keys.map(({ key, what }) => (
            <span key={what} className="flex items-center gap-1">
              {key.map((one) => (
                <Kbd key={one}>{one}</Kbd>
              ))}
              {what}
            </span>
          ))}
        </p>
      </div>
    </aside>
  )
}

const keys = [
  { key: ["J", "K"], what: "next, previous" },
  { key: ["Enter"], what: "open" },
  { key: ["X"], what: "select" },
  { key: ["Esc"], what: "close" },
]
