"use client"

import type { ReactNode } from "react"
import type { Permission } from "@/lib/access/permissions"
import { useMay } from "@/components/access/powers"
import { ButtonLink } from "@/components/ui/button"
import { Card } from "@/components/ui/card"
import { EmptyState } from "@/components/ui/empty-state"

type OnlyProps = {
  permission: Permission
  projectId: string
  /** What the page is for: "send email". */ act: string
  children: ReactNode
}

/** A page with one form: users who lack the permission see an explanation instead of the form. */
export function Only({ permission, projectId, act, children }: OnlyProps) {
  return useMay(permission) ? children : <Refused projectId={projectId} act={act} />
}

/** Shown instead of a form whose calls would all be refused. `act` is what the form does: "send email". */
function Refused({ projectId, act }: { projectId: string; act: string }) {
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
