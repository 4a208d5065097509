"use client"

import { useQuery } from "@tanstack/react-query"
import { projectRegion } from "@/components/settings/queries"
import { Callout } from "@/components/ui/callout"

const waits = ["queued", "sending", "delivery_delayed"]

/** Why an email that is on its way does not leave now: its region cannot reach the relay. */
export function RegionNotice({ status, projectId }: { status: string; projectId: string }) {
  const onItsWay = waits.includes(status)
  const region = useQuery({ ...projectRegion(projectId), enabled: onItsWay }).data
  if (!onItsWay || region?.status !== "down") return null
  return (
    <Callout tone="warn" title="This email waits for its region">
      {region.message}
    </Callout>
  )
}
