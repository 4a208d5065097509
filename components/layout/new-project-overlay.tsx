import { NewProject } from "@/components/access/new-project"
import { mayFound } from "@/components/access/powers"
import { closeOverlay } from "@/components/layout/overlay"
import type { SessionWire } from "@/lib/access/credentials/schema"

type NewProjectOverlayProps = { projectId: string; organizations: SessionWire["organizations"] }

/** The form of a new project, over any page; the organization of that page is chosen. */
export default function NewProjectOverlay({ projectId, organizations }: NewProjectOverlayProps) {
  const current = organizations.find(({ projects }) => projects.some(({ id }) => id === projectId))
  return (
    <NewProject
      open
      onOpenChange={() => closeOverlay("new-project")}
      organizations={organizations.filter(mayFound)}
      current={current?.id ?? ""}
    />
  )
}
