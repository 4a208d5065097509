import { Card } from "@/components/ui/card"
import { HostNames } from "@/components/domains/host-names"
import { RotateDkim } from "@/components/domains/rotate-dkim"
import type { Domain } from "@/components/domains/types"

/** What can be changed about a domain, each in a row of its own. */
export function DomainChanges({ domain, projectId }: { domain: Domain; projectId: string }) {
  return (
    <Card aria-label="Changes">
      {domain.verifiedAt ? null : <HostNames domain={domain} projectId={projectId} />}
      <RotateDkim domain={domain} projectId={projectId} />
    </Card>
  )
}
