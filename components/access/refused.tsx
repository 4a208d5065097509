import { ButtonLink } from "@/components/ui/button"
import { Card } from "@/components/ui/card"
import { EmptyState } from "@/components/ui/empty-state"

/** Shown instead of a form whose calls would all be refused. `act` is what the form does: "send email". */
export default function Refused({ projectId, act }: { projectId: string; act: string }) {
  return (
    <Card aria-label="Not allowed for your role">
      <EmptyState
        title={`Your role cannot ${act}`}
        action={<ButtonLink href={`/projects/${projectId}/settings/members`}>Members and roles</ButtonLink>}
      >
        Viewers can see everything but change nothing. An owner or admin can make you a developer.
      </EmptyState>
    </Card>
  )
}
