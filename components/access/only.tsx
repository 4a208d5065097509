"use client"

import { dynamic } from "@/components/ui/dynamic"
import type { ReactNode } from "react"
import type { Permission } from "@/lib/access/permissions"
import { useMay } from "@/components/access/powers"

const Refused = dynamic(() => import("@/components/access/refused"))

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
