"use client"

import { Plus } from "lucide-react"
import type { ReactNode } from "react"
import { useMay } from "@/components/access/powers"
import type { DialogName } from "@/components/data/add-dialog"
import { Button, ButtonLink } from "@/components/ui/button"
import { intend } from "@/components/ui/intent"
import type { Permission } from "@/lib/access/permissions"

type FirstActionProps = {
  permission: Permission
  icon?: ReactNode
  /** What the main button of the page says, too. */
  children: ReactNode
} & ({ href: string } | { opens: DialogName })

/**
 * The main button of a list's page inside its empty state. While it is shown, the page's header leaves its own out
 * (app/globals.css), but keeps the dialog, which so outlives the empty state.
 */
export function FirstAction({ permission, icon = <Plus />, children, ...way }: FirstActionProps) {
  if (!useMay(permission)) return null
  return "href" in way ? (
    <ButtonLink data-first-action variant="primary" icon={icon} href={way.href}>
      {children}
    </ButtonLink>
  ) : (
    <Button data-first-action variant="primary" icon={icon} onClick={() => intend(way.opens)}>
      {children}
    </Button>
  )
}
