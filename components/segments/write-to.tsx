import { PenLine } from "lucide-react"
import { useMay } from "@/components/access/powers"
import { ButtonLink } from "@/components/ui/button"

type WriteToProps = { projectId: string; audienceId: string; children: string }

/** Leads to Compose with this segment or topic as the recipients. */
export function WriteTo({ projectId, audienceId, children }: WriteToProps) {
  if (!useMay("emails:send")) return null
  return (
    <ButtonLink variant="primary" icon={<PenLine />} href={`/projects/${projectId}/emails/compose?to=${audienceId}`}>
      {children}
    </ButtonLink>
  )
}
