import { Check } from "lucide-react"
import { recordGroups } from "@/components/domains/records"
import type { Domain } from "@/components/domains/types"
import { StepFrame } from "@/components/overview/guide/step-frame"
import { ButtonLink } from "@/components/ui/button"
import { Spinner } from "@/components/ui/spinner"

/** The records of the domain, ticked as they are found. */
export function RecordsStep({ projectId, domain }: { projectId: string; domain: Domain | undefined }) {
  const records = domain ? recordGroups(domain).flatMap((group) => group.records) : []
  const found = records.filter(({ status }) => status === "verified").length
  return (
    <StepFrame
      title={`${found} of ${records.length} records found`}
      actions={
        domain ? <ButtonLink href={`/projects/${projectId}/domains/${domain.id}`}>Open the records</ButtonLink> : null
      }
    >
      <ul className="mt-3 divide-y divide-line border-y border-line">
        {records.map(({ key, name, type, status }) => (
          <li key={key} className="flex items-center gap-3 py-2 text-text">
            {status === "verified" ? <Check aria-label="Found" className="size-4 shrink-0 text-good" /> : <Spinner />}
            <span className="mono w-14 shrink-0 text-muted">{type}</span>
            <span className="mono min-w-0 [overflow-wrap:anywhere]">{name}</span>
          </li>
        ))}
      </ul>
    </StepFrame>
  )
}
