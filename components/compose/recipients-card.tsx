"use client"

import { useQuery } from "@tanstack/react-query"
import { lazy, Suspense, useRef, useState } from "react"
import { audienceIn, topicIn, named } from "@/components/compose/addresses"
import { useAudiences } from "@/components/compose/audience"
import { controlId, type KeptDraft } from "@/components/compose/drafts"
import { RecipientsInput } from "@/components/compose/recipients-input"
import { usePublishedTemplates } from "@/components/compose/templated"
import { topicsQuery } from "@/components/segments/queries"
import { Button } from "@/components/ui/button"
import { Card, CardBody } from "@/components/ui/card"
import { Field } from "@/components/ui/field"
import { Input } from "@/components/ui/input"
import { Select } from "@/components/ui/select"
import { addressWithoutName, nameOf } from "@/components/emails/address"
import { emailsQuery } from "@/components/emails/queries"
import { TextLink } from "@/components/ui/text"

const TemplateField = lazy(() =>
  import("@/components/compose/template-fields").then((loaded) => ({ default: loaded.TemplateField })),
)
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

type SenderFieldProps = { projectId: string; draft: KeptDraft; domains: SenderDomain[] }

/** Name and address of the sender: anything before the @ of a domain that can send, or one that was used before. */
function SenderField({ projectId, draft: { fields, change, errorOf }, domains }: SenderFieldProps) {
  // A name without an address makes no header; it waits here until there is one.
  const [sender, setSender] = useState(() => chosenSender(fields.from))
  const { name, local, domain } = fields.from === fromOf(sender) ? sender : chosenSender(fields.from)
  const foreign = domain !== "" && !domains.some((one) => one.domain === domain)
  const plain = { autoComplete: "off", autoCapitalize: "none", spellCheck: false } as const

  function set(part: Partial<Sender>) {
    const next = { name, local, domain, ...part }
    setSender(next)
    change({ from: fromOf(next) })
  }
  /** A complete address is split into its parts. */
  function setLocal(text: string) {
    if (!text.includes("@")) return set({ local: text })
    const parts = chosenSender(text)
    set({ ...parts, name: parts.name || name })
  }

  if (domains.length === 0 && !fields.from)
    return (
      <p className="mb-4 grid gap-x-3 gap-y-1.5 sm:grid-cols-[64px_minmax(0,1fr)]">
        <span className="text-sm font-medium sm:font-normal sm:text-muted">From</span>{" "}
        <span>
          <TextLink href={`/projects/${projectId}/domains`}>Add a domain to send from</TextLink>
        </span>
      </p>
    )
  return (
    <Field beside label="From" id={controlId("from")} error={errorOf("from")} required>
      <div className="grid gap-2">
        <div className="flex items-center gap-1.5 max-sm:flex-wrap">
          <Input
            {...plain}
            className="flex-1"
            placeholder="hello"
            value={local}
            onChange={({ target }) => setLocal(target.value)}
          />
          <span aria-hidden="true" className="text-muted">
            @
          </span>
          <Select
            id={`${controlId("from")}-domain`}
            aria-label="Sender domain"
            className="basis-full sm:flex-[2_0_0]"
            value={domain}
            onChange={({ target }) => set({ domain: target.value })}
          >
            {domain === "" ? <option value="">Domain</option> : null}
            {foreign ? <option value={domain}>{domain}, not in this project</option> : null}
            {domains.map((one) => (
              <option key={one.domain} value={one.domain} disabled={!isSending(one) && one.domain !== domain}>
                {isSending(one) ? one.domain : `${one.domain}, not verified`}
              </option>
            ))}
          </Select>
        </div>
        <div className="flex gap-2">
          <Input
            id={`${controlId("from")}-name`}
            aria-label="Sender name"
            aria-required={false}
            placeholder="Name, such as Acme"
            autoComplete="off"
            value={name}
            onChange={({ target }) => set({ name: target.value })}
          />
          <RecentSenders projectId={projectId} domains={domains} onPick={(from) => change({ from })} />
        </div>
      </div>
    </Field>
  )
}

type RecentSendersProps = { projectId: string; domains: SenderDomain[]; onPick: (from: string) => void }

const newest = 100
const most = 8

/** Senders of the newest emails whose domains can send, and one of each domain. */
function RecentSenders({ projectId, domains, onPick }: RecentSendersProps) {
  const [near, setNear] = useState(false)
  const emails = useQuery({ ...emailsQuery(projectId, { size: newest }), enabled: near })
  const usual = domains.filter(isSending).map(({ domain }) => `hello@${domain}`)
  const senders = [...new Set([...sendersOf(emails.data?.data ?? [], domains).slice(0, most), ...usual])]
  if (senders.length === 0) return null
  return (
    <Select
      id={`${controlId("from")}-used`}
      aria-label="Senders used before"
      aria-required={false}
      className="max-w-44"
      value=""
      onPointerEnter={() => setNear(true)}
      onFocus={() => setNear(true)}
      onChange={({ target }) => onPick(target.value)}
    >
      <option value="">Recent senders</option>
      {senders.map((from) => (
        <option key={from}>{from}</option>
      ))}
    </Select>
  )
}

/** The sender as its fields have it. */
type Sender = { name: string; local: string; domain: string }

export type SenderDomain = { domain: string; status: string }

function isSending({ status }: SenderDomain): boolean {
  return status === "verified" || status === "degraded"
}

/** The parts of a From header; without a domain, what is there is the part before the @. */
export function chosenSender(from: string): Sender {
  const address = addressWithoutName(from.trim())
  const at = address.lastIndexOf("@")
  const [local, domain] = at < 0 ? [address, ""] : [address.slice(0, at), address.slice(at + 1)]
  return { name: nameOf(from), local, domain }
}

/** The From header of these parts; empty where there is no local part. */
export function fromOf({ name, local, domain }: Sender): string {
  if (!local.trim()) return ""
  return named(name.trim(), `${local.trim()}@${domain}`)
}

/** The distinct senders of these emails that may send again, in the order of the emails. */
export function sendersOf(emails: readonly { from: string }[], domains: readonly SenderDomain[]): string[] {
  const sending = new Set(domains.filter(isSending).map(({ domain }) => domain))
  const mine = emails.map(({ from }) => from).filter((from) => sending.has(chosenSender(from).domain.toLowerCase()))
  return [...new Set(mine)]
}
