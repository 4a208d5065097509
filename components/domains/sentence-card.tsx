import { proseOf, domainSentence, sharedCause } from "@/components/domains/sentence"
import { DomainStatusPill } from "@/components/domains/statuses"
import { domainSteps } from "@/components/domains/progress"
import type { Domain } from "@/components/domains/queries"
import { Card } from "@/components/ui/card"
import { cn } from "@/components/ui/cn"
import { useTimeZone } from "@/components/ui/local-time"
import { dynamic } from "@/components/late-parts/dynamic"

/** Only a mistake that records share needs it, so a page without one does not load it. */
const EvidenceTable = dynamic(() => import("@/components/domains/record-diff").then((module) => module.EvidenceTable))

/** Needed by what the sentence says of a few domains: when it stops sending, and what to enter for one record. */
const StopsSending = dynamic(() => import("@/components/domains/missing-records").then((module) => module.StopsSending))
const SentenceCopy = dynamic(() => import("@/components/domains/missing-records").then((module) => module.SentenceCopy))

/** How the domain is doing in a sentence, what to do, and the evidence below. */
export function SentenceCard({ domain }: { domain: Domain }) {
  const { tone, text, detail, found, named } = domainSentence(domain, useTimeZone())
  return (
    <Card aria-label="State of the domain">
      <div className="flex flex-wrap items-start justify-between gap-x-8 gap-y-3 px-4 py-4">
        <div className="min-w-0 max-w-200 flex-1 max-sm:basis-full">
          <h2 className="text-xl font-semibold [overflow-wrap:anywhere]">{text}</h2>
          <p className="mt-1 text-muted [overflow-wrap:anywhere] [&_code]:rounded-sm [&_code]:bg-sunken [&_code]:px-1 [&_code]:text-text">
            {domain.stopsSendingAt ? (
              <>
                <StopsSending until={domain.stopsSendingAt} />{" "}
              </>
            ) : null}
            {proseOf(detail).map(({ text: part, code }, index) => (code ? <code key={index}>{part}</code> : part))}
          </p>
          {named ? <SentenceCopy domain={domain} named={named} /> : null}
        </div>
        <span aria-hidden="true" className="flex gap-1 pt-2">
          {found
            .toSorted((one, other) => Number(other) - Number(one))
            .map((there, index) => (
              <span
                key={index}
                className={cn("h-2 w-9 rounded-full", there ? "bg-good" : tone === "bad" ? "bg-bad" : "bg-line-strong")}
              />
            ))}
        </span>
      </div>
      {sharedCause(domain)?.foundAt ? <EvidenceTable domain={domain} /> : <Parts domain={domain} />}
    </Card>
  )
}

/** The four parts of the domain, where no mistake asks for the room. */
function Parts({ domain }: { domain: Domain }) {
  return (
    <ul className="grid gap-px border-t border-line bg-line sm:grid-cols-2 lg:grid-cols-4">
      {domainSteps(domain).map((step) => (
        <li key={step.title} className="flex min-w-0 items-start justify-between gap-3 bg-sunken px-4 py-2.5">
          <span className="min-w-0">
            <b className="block font-medium">{step.title}</b>
            <span className="block text-sm text-muted">{step.text}</span>
          </span>
          <DomainStatusPill words={step} inTable />
        </li>
      ))}
    </ul>
  )
}
