"use client"

import { useQuery } from "@tanstack/react-query"
import { Check, X } from "lucide-react"
import { useState, type FormEvent } from "react"
import { problemOf } from "@/components/api/problem"
import { query } from "@/components/api/query"
import { Button } from "@/components/ui/button"
import { Card, CardBody, CardHeader } from "@/components/ui/card"
import { SearchInput } from "@/components/ui/search-input"
import { sentenceOf, type Known } from "./conditions"
import { previewQuery, type Preview, type Segment } from "./queries"

type WhyCardProps = { projectId: string; segment: Segment; known: Known }

/** Asks for one contact by its address and says, condition by condition, why it is in or out. */
export function WhyCard({ projectId, segment, known }: WhyCardProps) {
  const [draft, setDraft] = useState("")
  const [email, setEmail] = useState("")
  const found = useQuery({
    ...query("GET /v1/projects/{projectId}/contacts", { params: { projectId }, query: { ...(/.@.+[.]/.test(email) ? { email } : { search: email }), size: 1 } }),
    enabled: email !== "",
  })
  const contact = found.data?.data[0]
  const told = useQuery({ ...previewQuery(projectId, contact ? { segmentId: segment.id, contactId: contact.id } : null), placeholderData: undefined })

  function submit(event: FormEvent) {
    event.preventDefault()
    setEmail(draft.trim())
  }

  return (
    <Card aria-label="Why is a contact in or out?">
      <CardHeader title="Why is a contact in or out?" />
      <CardBody>
        <form role="search" aria-label="A contact" onSubmit={submit} className="flex gap-2">
          <SearchInput label="Address of a contact" className="flex-1 sm:w-auto" value={draft} onChange={({ target }) => setDraft(target.value)} />
          <Button type="submit" loading={found.isFetching || told.isFetching}>Ask</Button>
        </form>
        <div aria-live="polite" className="mt-3 empty:mt-0">
          {email && found.data && !contact ? <p className="text-muted">No contact has “{email}” in its address or name.</p> : null}
          {told.isError ? <p className="text-bad">{problemOf(told.error).detail}</p> : null}
          {contact && told.data?.contact ? <Told contact={told.data.contact} known={known} /> : null}
        </div>
      </CardBody>
    </Card>
  )
}

const leftOut = {
  unsubscribed: "it is unsubscribed from everything",
  suppressed: "it is on the suppression list",
  no_opt_in: "it has not opted in to the topic",
}

function Told({ contact, known }: { contact: NonNullable<Preview["contact"]>; known: Known }) {
  return (
    <>
      <p>
        <b className="font-medium [overflow-wrap:anywhere]">{contact.email}</b> is {contact.matches ? "in" : "out"}{originWords(contact)}.
      </p>
      {contact.matches && contact.leftOut ? <p className="text-muted">A send leaves it out: {leftOut[contact.leftOut]}.</p> : null}
      {contact.conditions.length ? (
        <ul className="mt-2 grid gap-1">
          {contact.conditions.map(({ pointer, condition, holds }) => (
            <li key={pointer} className="flex items-start gap-2">
              {holds ? <Check aria-hidden="true" className="mt-0.5 size-4 shrink-0 text-good" /> : <X aria-hidden="true" className="mt-0.5 size-4 shrink-0 text-muted" />}
              <span className="min-w-0 [overflow-wrap:anywhere]">
                {sentenceOf(condition, known.topics)} <span className="text-muted">{holds ? "holds" : "does not hold"}</span>
              </span>
            </li>
          ))}
        </ul>
      ) : null}
    </>
  )
}

function originWords({ origin }: NonNullable<Preview["contact"]>): string {
  if (origin === "added") return ", put in by hand"
  if (origin === "removed") return ", put out by hand, whatever the filter says"
  return origin === "filter" ? " by the filter" : ""
}
