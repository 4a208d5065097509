"use client"

import { useQuery } from "@tanstack/react-query"
import { useState } from "react"
import { named } from "@/components/compose/addresses"
import { controlId, type KeptDraft } from "@/components/compose/drafts"
import { addressWithoutName, nameOf } from "@/components/emails/address"
import { emailsQuery } from "@/components/emails/queries"
import { Field } from "@/components/ui/field"
import { Input } from "@/components/ui/input"
import { Select } from "@/components/ui/select"
import { TextLink } from "@/components/ui/text-link"

type SenderFieldProps = { projectId: string; draft: KeptDraft; domains: SenderDomain[] }

/** Name and address of the sender: anything before the @ of a domain that can send, or one that was used before. */
export function SenderField({ projectId, draft: { fields, change, errorOf }, domains }: SenderFieldProps) {
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
