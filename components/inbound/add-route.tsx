"use client"

import { lazy } from "react"
import { AddDialog } from "@/components/data/add-dialog"

const loadForm = () => import("@/components/inbound/add-route-form")
const AddRouteForm = lazy(loadForm)

export function AddRoute({ projectId }: { projectId: string }) {
  return (
    <AddDialog
      action="Create route"
      intent="create-route"
      description="Mail to an address of one of your verified domains."
      load={loadForm}
      height="h-80"
    >
      {() => <AddRouteForm projectId={projectId} />}
    </AddDialog>
  )
}
