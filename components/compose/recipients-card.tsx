"use client"

import { useQuery } from "@tanstack/react-query"
import { lazy, Suspense, useRef, useState } from "react"
import { audienceIn, topicIn } from "@/components/compose/addresses"
import { useAudiences } from "@/components/compose/audience"
import { controlId, type KeptDraft } from "@/components/compose/drafts"
import { RecipientsInput } from "@/components/compose/recipients-input"
import { SenderField, type SenderDomain } from "@/components/compose/sender-field"
import { usePublishedTemplates } from "@/components/compose/templated"
import { topicsQuery } from "@/components/segments/queries"
import { Button } from "@/components/ui/button"
import { Card, CardBody } from "@/components/ui/card"
import { Field } from "@/components/ui/field"
import { Input } from "@/components/ui/input"
import { Select } from "@/components/ui/select"

const TemplateField = lazy(() => import("@/components/compose/template-field"))
const InsertField = lazy(() =>
  import("@/components/compose/insert-field").then((module) => ({ default: module.InsertField })),
)

const copies = [
  ["cc", "Cc"],
  ["bcc", "Bcc"],
] as const

type RecipientsCardProps = { projectId: string; draft: KeptDraft; domains: SenderDomain[] }

/** Who gets it, who it is from and what it is about, each with what a send would make of it. */
export function RecipientsCard({ projectId, draft, domains }: RecipientsCardProps) {
  const { fields, change, errorOf, recipients } = draft
  const audiences = useAudiences(projectId)
  const templates = usePublishedTemplates(projectId) ?? []
  const shared = { projectId, recipients }
  const subject = useRef<HTMLInputElement>(null)
  return (
    // Suggestions may be longer than the card.
    <Card aria-label="Sender and recipients" className="overflow-visible">
      <CardBody>
        <Field
          beside
          label="To"
          id={controlId("to")}
          error={errorOf("to")}
          hint={
            <>
              Contacts, addresses, or one segment or topic. Everyone gets a separate message unless you add Cc or Bcc.
              <span className="sr-only"> The left arrow key goes to them: Enter edits one, Backspace removes it.</span>
            </>
          }
          required
        >
          <RecipientsInput {...shared} audiences={audiences} value={fields.to} onChange={(to) => change({ to })} />
        </Field>
        {audienceIn(fields.to) ? (
          <p className="mb-4 text-sm text-muted sm:ml-19">
            Each person gets a message of their own, so there are no copies: this becomes a broadcast.
          </p>
        ) : (
          <Copies projectId={projectId} draft={draft} />
        )}
        <SenderField projectId={projectId} draft={draft} domains={domains} />
        {fields.template || templates.length > 0 ? (
          <Suspense fallback={null}>
            <TemplateField draft={draft} templates={templates} />
          </Suspense>
        ) : null}
        {fields.template ? null : (
          <Field beside label="Subject" id={controlId("subject")} error={errorOf("subject")} required>
            <div className="flex items-center gap-1">
              <Input
                ref={subject}
                value={fields.subject}
                onChange={({ target }) => change({ subject: target.value })}
              />
              {audienceIn(fields.to) ? (
                <Suspense>
                  <InsertField projectId={projectId} into={subject} label="Insert field into the subject" />
                </Suspense>
              ) : null}
            </div>
          </Field>
        )}
        <TopicField projectId={projectId} draft={draft} />
      </CardBody>
    </Card>
  )
}

/** Cc and Bcc, each from when it is asked for or holds something. */
function Copies({ projectId, draft }: Omit<RecipientsCardProps, "domains">) {
  const { fields, change, errorOf, recipients } = draft
  const [asked, setAsked] = useState<readonly string[]>([])
  const isOpen = (name: "cc" | "bcc") => asked.includes(name) || fields[name] !== "" || Boolean(errorOf(name))
  return (
    <>
      {copies.every(([name]) => isOpen(name)) ? null : (
        <p className="mb-4 flex gap-4 sm:ml-19">
          {copies.map(([name, label]) =>
            isOpen(name) ? null : (
              <Button key={name} variant="link" onClick={() => setAsked((before) => [...before, name])}>
                Add {label}
              </Button>
            ),
          )}
        </p>
      )}
      {copies.map(([name, label]) =>
        isOpen(name) ? (
          <Field key={name} beside label={label} id={controlId(name)} error={errorOf(name)}>
            <RecipientsInput
              {...{ projectId, recipients }}
              autoFocus={asked.includes(name) && fields[name] === ""}
              value={fields[name]}
              onChange={(value) => change({ [name]: value })}
            />
          </Field>
        ) : null,
      )}
    </>
  )
}

/** Chooses the topic of the email; a topic in To takes precedence. */
function TopicField({ projectId, draft: { fields, change, errorOf } }: { projectId: string; draft: KeptDraft }) {
  const topics = useQuery(topicsQuery(projectId)).data?.data ?? []
  const inTo = topicIn(fields.to)
  const chosen = inTo ?? fields.topicId
  const unknown = chosen !== "" && !topics.some(({ id }) => id === chosen)
  return (
    <Field
      beside
      label="Topic"
      id={controlId("topicId")}
      error={errorOf("topicId")}
      hint={
        inTo
          ? "The one in To."
          : chosen && "Recipients can unsubscribe from this topic alone. Contacts who are not subscribed are excluded."
      }
    >
      <Select
        value={chosen}
        disabled={inTo !== null}
        options={[
          { value: "", label: "No topic" },
          ...(unknown ? [{ value: chosen, label: chosen }] : []),
          ...topics.map(({ id, name }) => ({ value: id, label: name })),
        ]}
        onChange={({ target }) => change({ topicId: target.value })}
      />
    </Field>
  )
}
