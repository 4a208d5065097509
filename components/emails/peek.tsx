"use client"

import { keepPreviousData, useQuery } from "@tanstack/react-query"
import { ChevronDown, ChevronUp, X } from "lucide-react"
import type { ReactNode } from "react"
import { textOfHtml } from "@/components/compose/text-of-html"
import { LoadError } from "@/components/data/load-error"
import { addressWithoutName, nameOf } from "@/components/emails/address"
import { Journey, journeyAnswer, journeyOf } from "@/components/emails/journey"
import { focusRow, rowOf } from "@/components/emails/list-keys"
import { type Email, emailQuery, type Explanation, explanationQuery } from "@/components/emails/queries"
import { pollEvery, EmailStatusPill } from "@/components/emails/status"
import { useSettled } from "@/components/ui/input"
import { ButtonLink, IconButton } from "@/components/ui/button"
import { CopyText } from "@/components/ui/copy-button"
import { Kbd } from "@/components/ui/text"
import { KeyValues } from "@/components/ui/key-values"
import { Skeleton } from "@/components/ui/loading"
import { presentBody } from "@/lib/emails/message-rules"

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
            {email.data ? <EmailStatusPill status={explanation.data?.status ?? email.data.status} /> : null}
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

type PeekContentProps = { projectId: string; email: Email; explanation: Explanation }

/** What became of the email, how it begins, and what it carries. */
function PeekContent({ projectId, email, explanation }: PeekContentProps) {
  const { to, from, subject, tags, id } = email
  const first = presentBody(email.text) ?? textOfHtml(presentBody(email.html) ?? "")
  return (
    <>
      <div className="px-5 py-4">
        <h2 className="text-lg font-semibold [overflow-wrap:anywhere]">{subject}</h2>
        {to.map((header) => (
          <p key={header} className="text-muted [overflow-wrap:anywhere]">
            to <span className="text-text">{addressWithoutName(header)}</span> {nameOf(header)}
          </p>
        ))}
        <p className="text-muted [overflow-wrap:anywhere]">from {addressWithoutName(from)}</p>
      </div>
      <Part title={journeyAnswer(email, explanation)}>
        <Journey projectId={projectId} steps={journeyOf(email, explanation)} />
      </Part>
      {first ? (
        <Part title="First lines">
          <p className="mx-5 mt-1.5 mb-3.5 line-clamp-3 [overflow-wrap:anywhere] whitespace-pre-line">
            {first.slice(0, 600).replaceAll(/\n+/g, "\n")}
          </p>
        </Part>
      ) : null}
      <Part title="Details">
        <KeyValues
          className="px-5 sm:grid-cols-[64px_1fr]"
          items={[
            tags
              ? {
                  label: "Tags",
                  value: Object.entries(tags)
                    .map((pair) => pair.join("="))
                    .join(", "),
                }
              : null,
            { label: "ID", value: <CopyText value={id} name="email id" inline /> },
          ]}
        />
      </Part>
    </>
  )
}

function Part({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section className="border-t border-line">
      <h3 className="px-5 pt-2.5 text-xs font-semibold">{title}</h3>
      {children}
    </section>
  )
}
