"use client"

import type { ReactNode } from "react"
import { ButtonLink } from "@/components/ui/button"
import { Card } from "@/components/ui/card"
import { EmptyState } from "@/components/ui/empty-state"
import type { Permission } from "@/lib/access/permissions"
import { useMay } from "./powers"

type OnlyProps = { permission: Permission; projectId: string; /** What the page is for: "send email". */ act: string; children: ReactNode }

/** A page that is one act: to whom the act would be refused, it says so instead of letting them fill it in. */
export function Only({ permission, projectId, act, children }: OnlyProps) {
  if (useMay(permission)) return children
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
