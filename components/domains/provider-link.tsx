import { ExternalLink } from "lucide-react"
import { buttonStyle } from "@/components/ui/button-style"
import type { Domain } from "@/components/domains/types"

/** The DNS provider, and the page where its customers edit the zone. */
export function ProviderLink({ provider }: { provider: NonNullable<Domain["provider"]> }) {
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
