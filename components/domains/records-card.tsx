"use client"

import { Button } from "@/components/ui/button"
import { Card, CardFooter, CardHeader } from "@/components/ui/card"
import { Hint } from "@/components/ui/hint"
import { cannotSendYet, sandboxOf } from "@/lib/domains/registration/sandbox-rules"
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
  const other = style === "relative" ? "absolute" : "relative"
  const zone = zoneOf(domain)
  const advice = saidAbove(domain) ? "" : sharedAdvice(domain)
  return (
    <Card aria-label="DNS records">
      <CardHeader
        title="DNS records"
        description={purposes[sandboxOf(domain) ?? "real"]}
        actions={
          <>
            {domain.provider ? <ProviderLink provider={domain.provider} /> : null}
            <Button aria-label={`Host: ${style}. Show ${other} hosts`} onClick={() => setStyle(other)}>
              Host: {style}
            </Button>
          </>
        }
      />
      {sandboxOf(domain) === "captured" ? <Hint tone="warn">{cannotSendYet}</Hint> : null}
      <DomainHint domain={domain} />
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
        shared={sharedCause(domain)?.code}
      />
      <CardFooter className="text-muted">
        <span>
          {style === "relative" ? (
            <>
              Hosts are relative to <code>{zone}</code>: most forms add it themselves.{" "}
            </>
          ) : (
            <>
              Hosts are whole names. If your form adds <code>{zone}</code> itself, switch to relative.{" "}
            </>
          )}
          TTL: {ttlSeconds} seconds or your provider&rsquo;s shortest, so that a fix takes effect within minutes.
        </span>
      </CardFooter>
    </Card>
  )
}

/** The sentence says it above the records, except of a verified domain and where the set-up is in its place. */
function saidAbove(domain: Domain): boolean {
  return domain.status !== "verified" && (sandboxOf(domain) !== "captured" || domain.status !== "pending")
}

const purposes = {
  real: "Paste these at your DNS provider. Each turns green by itself once it is seen.",
  answered: "What you would paste at a DNS provider. Each turns green by itself once it is seen.",
  captured: "What the domain needs once this installation can send.",
}

/** The DNS provider, and the page where its customers edit the zone. */
function ProviderLink({ provider }: { provider: NonNullable<Domain["provider"]> }) {
  return (
    <>
      <span>
        Managed at <b className="text-text">{provider.name}</b>
      </span>
      <a className={buttonStyle()} href={provider.dnsPageUrl} target="_blank" rel="noreferrer">
        Open DNS page
        <ExternalLink aria-hidden="true" />
        <span className="sr-only">at {provider.name}, in a new tab</span>
      </a>
    </>
  )
}
