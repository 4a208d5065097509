"use client"

import { useState, type ReactNode } from "react"
import { useQuery } from "@tanstack/react-query"
import { Check } from "lucide-react"
import { domainQuery } from "@/components/domains/queries"
import {
  DeliveredStep,
  DomainStep,
  type GuideFor,
  KeyStep,
  RecordsStep,
  SendStep,
} from "@/components/overview/guide/steps"
import { keysQuery } from "@/components/overview/queries"
import { Button } from "@/components/ui/button"
import { Card } from "@/components/ui/card"
import { cn } from "@/components/ui/cn"
import type { CreatedKey } from "@/components/api-keys/key-forms"

type GuideProps = GuideFor & {
  domain: { id: string; domain: string } | undefined
  /** The first email, once it is sent. */
  sent: string | undefined
  onSent: (emailId: string) => void
  onClose: () => void
}

/** Four steps from nothing to a delivered email, on one page. What is done is read from the server. */
export default function StartGuide({ domain: added, sent, onSent, onClose, ...about }: GuideProps) {
  const { projectId } = about
  const domain = useQuery({
    ...domainQuery(projectId, added?.id ?? ""),
    enabled: added !== undefined,
    refetchInterval: ({ state }) => (state.data?.status === "verified" ? false : 1_000),
  }).data
  const keys = useQuery(keysQuery(projectId)).data?.data.filter(({ enabled }) => enabled)
  const [created, setCreated] = useState<CreatedKey>()
  const [stored, setStored] = useState(false)
  const [delivered, setDelivered] = useState(false)
  const verified = domain?.status === "verified" || domain?.status === "degraded"
  const keyed = Boolean(keys?.length) && (!created || stored)

  const steps = [
    {
      title: added ? "Domain added" : "Add a domain",
      detail: added?.domain ?? "what you send from",
      done: Boolean(added),
    },
    {
      title: verified ? "DNS verified" : "Verify its DNS",
      detail: verified ? "all records found" : "proves that it is yours",
      done: verified,
    },
    {
      title: keyed ? "API key stored" : "Create an API key",
      detail: keys?.[0] ? `${keys[0].start}…` : "for your programs",
      done: keyed,
    },
    {
      title: delivered ? "First email delivered" : "Send the first email",
      detail: `to ${about.person.email}`,
      done: delivered,
    },
  ]
  const open = steps.findIndex(({ done }) => !done)
  return (
    <Card aria-labelledby="guide-title">
      <header className="flex items-center justify-between gap-4 border-b border-line px-4 py-3">
        <div>
          <h2 id="guide-title" className="font-semibold">
            Get started
          </h2>
          <p className="text-muted">Four steps to a delivered email.</p>
        </div>
        <Button onClick={onClose}>Close guide</Button>
      </header>
      <ol className="grid border-b border-line divide-line max-lg:divide-y lg:grid-cols-4 lg:divide-x">
        {steps.map((step, index) => (
          <Step key={index} {...step} number={index + 1} current={index === open} />
        ))}
      </ol>
      <div aria-live="polite">
        {sent && domain ? (
          <DeliveredStep
            {...about}
            emailId={sent}
            apiKey={created?.apiKey}
            from={senderOf(domain.domain)}
            onDelivered={() => setDelivered(true)}
          />
        ) : !added ? (
          <DomainStep {...about} />
        ) : !verified ? (
          <RecordsStep projectId={projectId} domain={domain} />
        ) : !keyed ? (
          <KeyStep projectId={projectId} created={created} onCreated={setCreated} onStored={() => setStored(true)} />
        ) : domain ? (
          <SendStep {...about} from={senderOf(domain.domain)} onSent={onSent} />
        ) : null}
      </div>
    </Card>
  )
}

const senderOf = (domain: string) => `hello@${domain}`

type StepProps = { title: string; detail: ReactNode; done: boolean; number: number; current: boolean }

function Step({ title, detail, done, number, current }: StepProps) {
  return (
    <li
      aria-current={current ? "step" : undefined}
      className={cn("flex gap-3 px-4 py-3", current && "lg:shadow-[inset_0_-2px_var(--text)]")}
    >
      <span
        className={cn(
          "grid size-5 shrink-0 place-items-center rounded-full border text-xs tabular-nums",
          done
            ? "border-transparent bg-good-soft text-good"
            : current
              ? "border-accent text-accent"
              : "border-line-strong text-muted",
        )}
      >
        {done ? <Check aria-hidden="true" className="size-3.5" /> : <span aria-hidden="true">{number}</span>}
        <span className="sr-only">{done ? "Done:" : "To do:"}</span>
      </span>
      <span className="min-w-0">
        <b className={cn("block font-medium", !done && !current && "text-muted")}>{title}</b>
        <span className="block text-sm text-muted [overflow-wrap:anywhere]">{detail}</span>
      </span>
    </li>
  )
}
