import { ButtonLink } from "@/components/ui/button"
import { Callout } from "@/components/ui/callout"

type DomainAlertsProps = { projectId: string; domains: { id: string; domain: string; status: string }[] }

/** A domain that has lost its records, or that can no longer send: what that means, and the way to its records. */
export function DomainAlerts({ projectId, domains }: DomainAlertsProps) {
  return domains.map(({ id, domain, status }) => {
    const action = <ButtonLink href={`/projects/${projectId}/domains/${id}`}>Open its records</ButtonLink>
    if (status === "degraded") {
      return (
        <Callout key={id} tone="warn" title={`DNS records of ${domain} have vanished.`} action={action}>
          It still sends, for 72 hours from when they were missed. Publish them again and it recovers by itself.
        </Callout>
      )
    }
    if (status !== "failed") return null
    return (
      <Callout key={id} tone="bad" title={`${domain} cannot send.`} action={action}>
        Its DNS records have not been found for 72 hours; sends from it are refused. Publish them, then verify it again.
      </Callout>
    )
  })
}
