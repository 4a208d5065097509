"use client"

import { Card, CardFooter, CardHeader } from "@/components/ui/card"
import { Hint } from "@/components/ui/hint"
import { Segmented } from "@/components/ui/segmented"
import { cannotSendYet, sandboxOf, waitsForInstallation } from "@/lib/domains/registration/sandbox-rules"
import { DomainHint } from "@/components/domains/domain-hint"
import { recordGroups, ttlSeconds, zoneOf } from "@/components/domains/records"
import { proseOf } from "@/components/domains/prose"
import { sharedAdvice, sharedCause } from "@/components/domains/sentence"
import { RecordTable } from "@/components/domains/record-table"
import type { Domain } from "@/components/domains/types"
import { useHostStyle } from "@/components/domains/use-host-style"
import { ExternalLink } from "lucide-react"
import { buttonStyle } from "@/components/ui/button-style"

export function RecordsCard({ domain }: { domain: Domain }) {
  const [style, setStyle] = useHostStyle()
  const zone = zoneOf(domain)
  // Nothing is pasted before the installation can send.
  const waits = waitsForInstallation(domain)
  // Otherwise the sentence says it above the records.
  const shared = sharedCause(domain)?.code
  const isSaid = (!waits || domain.status !== "pending") && domain.status !== "verified"
  const advice = isSaid || shared === "names-changed" ? "" : sharedAdvice(domain)
  return (
    <Card aria-label="DNS records">
      <CardHeader
        title="DNS records"
        description={purposes[waits ? "captured" : sandboxOf(domain) === "answered" ? "answered" : "real"]}
        actions={
          <>
            {domain.provider ? <ProviderLink provider={domain.provider} /> : null}
            <Segmented
              label="Hosts"
              value={style}
              onChange={setStyle}
              options={[
                { value: "absolute", label: "Whole host" },
                { value: "relative", label: domain.provider ? `As ${domain.provider.name} wants it` : "Host only" },
              ]}
            />
          </>
        }
      />
      {waits ? <Hint tone="warn">{cannotSendYet}</Hint> : null}
      {waits ? null : <DomainHint domain={domain} />}
      {advice ? (
        <Hint tone="warn">
          {proseOf(advice).map(({ text, code }, index) => (code ? <code key={index}>{text}</code> : text))}
        </Hint>
      ) : null}
      <RecordTable
        groups={recordGroups(domain)}
        zone={zone}
        style={style}
        wasVerified={domain.status === "degraded"}
        shared={shared}
      />
      <CardFooter className="text-muted">
        <span>
          {style === "relative" ? (
            <>
              Hosts are relative to <code>{zone}</code>: most forms add it themselves.{" "}
            </>
          ) : (
            <>
              Hosts are whole names. If your form adds <code>{zone}</code> itself, enter the host only.{" "}
            </>
          )}
          TTL: {ttlSeconds} seconds or your provider&rsquo;s shortest, so that a fix takes effect within minutes.
        </span>
      </CardFooter>
    </Card>
  )
}

const purposes = {
  real: "Select a host or a value to copy it. Each turns green by itself once it is found.",
  answered: "What you would add at a DNS provider. Each turns green by itself once it is found.",
  captured: "What the domain needs once this installation can send.",
}

/** The DNS provider, and the page where its customers edit the zone. */
function ProviderLink({ provider }: { provider: NonNullable<Domain["provider"]> }) {
  return (
    <a className={buttonStyle()} href={provider.dnsPageUrl} target="_blank" rel="noreferrer">
      Open DNS at {provider.name}
      <ExternalLink aria-hidden="true" />
      <span className="sr-only">in a new tab</span>
    </a>
  )
}
