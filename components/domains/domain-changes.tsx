import { Card } from "@/components/ui/card"
import { HostNames } from "./host-names"
import { RotateDkim } from "./rotate-dkim"
import type { Domain } from "./types"

/** What can be changed about a domain, each in a row of its own. */
export function DomainChanges({ domain, projectId }: { domain: Domain; projectId: string }) {
  return (
    <Card aria-label="Changes">
      {domain.verifiedAt ? null : <HostNames domain={domain} projectId={projectId} />}
      <RotateDkim domain={domain} projectId={projectId} />
    </Card>
  )
}
