import { ButtonLink } from "@/components/ui/button"
import { Card } from "@/components/ui/card"
import { EmptyState } from "@/components/ui/empty-state"

/** In place of a form whose every call would be refused. `act` is what it is for: "send email". */
export default function Refused({ projectId, act }: { projectId: string; act: string }) {
  return (
    <Card aria-label="Not for your role">
      <EmptyState
        title={`Your role does not ${act}`}
        action={<ButtonLink href={`/projects/${projectId}/settings/members`}>Members and roles</ButtonLink>}
      >
        A viewer looks at everything and changes nothing. An owner or admin can give you the role of developer.
      </EmptyState>
    </Card>
  )
}
