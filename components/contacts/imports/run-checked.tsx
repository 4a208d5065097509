"use client"

import { useRouter } from "next/navigation"
import { May } from "@/components/access/powers"
import { problemOf } from "@/components/data/problem"
import { callThen, useCall } from "@/components/data/use-call"
import { Button } from "@/components/ui/button"
import { Callout } from "@/components/ui/callout"
import { RelativeTime } from "@/components/ui/relative-time"
import { importRoute, importsRoute, type ContactImport } from "@/components/contacts/imports/queries"

type Props = {
  projectId: string
  /** A dry run that came to its end. */
  one: ContactImport
  fileUntil: string
}

/** Offers to import what a dry run has tried, from the file that it has read. */
export function RunChecked({ projectId, one, fileUntil }: Props) {
  const router = useRouter()
  const run = useCall("POST /v1/projects/{projectId}/contact-imports/{importId}/run", [importRoute, importsRoute])
  const fault = run.error ? problemOf(run.error) : undefined

  function start() {
    callThen(run, { params: { projectId, importId: one.id } }, ({ id }) =>
      router.push(`/projects/${projectId}/contacts/imports/${id}`),
    )
  }

  return (
    <Callout
      tone={fault ? "bad" : "good"}
      title={fault ? "The import was not started" : "Nothing has been written yet"}
      action={
        <May permission="contacts:write">
          <Button variant="primary" loading={run.isPending} onClick={start}>
            Import these rows now
          </Button>
        </May>
      }
    >
      {fault ? <span role="alert">{fault.detail ?? fault.title} </span> : null}
      {one.failed ? "Rejected rows would be rejected again. " : null}
      The file is kept for this and removed <RelativeTime at={fileUntil} />.
    </Callout>
  )
}
