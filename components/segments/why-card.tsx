"use client"

import { useQuery } from "@tanstack/react-query"
import { Check, X } from "lucide-react"
import Link from "next/link"
import { useState } from "react"
import { problemOf } from "@/components/data/call"
import { query } from "@/components/data/query"
import { Button } from "@/components/ui/button"
import { Card, CardBody, CardHeader } from "@/components/ui/card"
import { SearchInput } from "@/components/ui/input"
import type { Group } from "@/lib/segments/rules"
import { filterSentence, type Known } from "@/components/segments/conditions"
import { segmentPreviewQuery, type SegmentPreview } from "@/components/segments/queries"

type WhyCardProps = {
  projectId: string
  /** A segment as it is, or an unsaved filter; null while the filter is incomplete. */
  about: { segmentId: string } | { filter: Group } | null
  known: Known
}

/** Finds one contact by its address and shows, condition by condition, why it is or would be in or out. */
export function WhyCard({ projectId, about, known }: WhyCardProps) {
  const [draft, setDraft] = useState("")
  const [email, setEmail] = useState("")
  const saved = about !== null && "segmentId" in about
  const title = saved ? "Why is a contact in or out?" : "Would a contact be in or out?"
  const found = useQuery({
    ...query("GET /v1/projects/{projectId}/contacts", {
      params: { projectId },
      query: { ...(/.@.+[.]/.test(email) ? { email } : { search: email }), size: 1 },
    }),
    enabled: email !== "",
  })
  const contact = found.data?.data[0]
  const explained = useQuery({
    ...segmentPreviewQuery(projectId, contact && about ? { ...about, contactId: contact.id } : null),
    placeholderData: undefined,
  })
  const ask = () => setEmail(draft.trim())
  const error = found.error ?? explained.error

  return (
    <Card aria-label={title}>
      <CardHeader title={title} description={saved ? undefined : "Uses the filter shown here, saved or not."} />
      <CardBody>
        {/* No form, because the builder may be in one already. */}
        <div role="search" aria-label="A contact" className="flex gap-2">
          <SearchInput
            label="Address of a contact"
            className="flex-1 sm:w-auto"
            value={draft}
            onChange={({ target }) => setDraft(target.value)}
            onKeyDown={(event) => {
              if (event.key !== "Enter") return
              event.preventDefault()
              ask()
            }}
          />
          <Button loading={found.isFetching || explained.isFetching} onClick={ask}>
            Check contact
          </Button>
        </div>
        <div aria-live="polite" className="mt-3 empty:mt-0">
          {email && found.data && !contact ? (
            <p className="text-muted">No contact has “{email}” in its address or name.</p>
          ) : null}
          {contact && !about ? <p className="text-muted">Fill in every value of the filter to see it.</p> : null}
          {error ? <p className="text-bad">{problemOf(error).detail}</p> : null}
          {contact && explained.data?.contact ? (
            <Explanation projectId={projectId} contact={explained.data.contact} saved={saved} known={known} />
          ) : null}
        </div>
      </CardBody>
    </Card>
  )
}

const excluded = {
  unsubscribed: "it is unsubscribed from everything",
  suppressed: "it is on the suppression list",
  no_opt_in: "it has not opted in to the topic",
}

type ExplanationProps = {
  projectId: string
  contact: NonNullable<SegmentPreview["contact"]>
  saved: boolean
  known: Known
}

function Explanation({ projectId, contact, saved, known }: ExplanationProps) {
  const page = `/projects/${projectId}/contacts/${contact.contactId}`
  return (
    <>
      <p>
        <Link
          href={page}
          prefetch={false}
          {...(saved ? {} : newTab)}
          className="font-medium [overflow-wrap:anywhere] hover:underline"
        >
          {contact.email}
        </Link>
        {` ${saved ? "is" : "would be"} ${contact.matches ? "in" : "out"}${originWords(contact)}.`}
      </p>
      {contact.matches && contact.excluded ? (
        <p className="text-muted">A send excludes it: {excluded[contact.excluded]}.</p>
      ) : null}
      {contact.conditions.length ? (
        <ul className="mt-2 grid gap-1">
          {contact.conditions.map(({ pointer, condition, matches }) => (
            <li key={pointer} className="flex items-start gap-2">
              {matches ? (
                <Check aria-hidden="true" className="mt-0.5 size-4 shrink-0 text-good" />
              ) : (
                <X aria-hidden="true" className="mt-0.5 size-4 shrink-0 text-muted" />
              )}
              <span className="min-w-0 [overflow-wrap:anywhere]">
                {filterSentence(condition, known)}{" "}
                <span className="text-muted">{matches ? "matches" : "does not match"}</span>
              </span>
            </li>
          ))}
        </ul>
      ) : null}
    </>
  )
}

/** For links next to an unsaved filter, which would be lost in the same tab. */
export const newTab = { target: "_blank", rel: "noopener", title: "Opens in a new tab" }

function originWords({ origin }: NonNullable<SegmentPreview["contact"]>): string {
  if (origin === "added") return ", added manually"
  if (origin === "removed") return ", removed manually, which overrides the filter"
  return origin === "filter" ? " by the filter" : ""
}
