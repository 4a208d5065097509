"use client"

import { useQueries } from "@tanstack/react-query"
import { formatNumber } from "@/lib/platform/format"
import { query } from "@/components/data/query"
import { useRouter } from "next/navigation"
import { type ReactNode, useState } from "react"
import { useRole } from "@/components/access/powers"
import { useCall } from "@/components/data/use-call"
import { Button } from "@/components/ui/button"
import { Card, CardHeader } from "@/components/ui/card"
import { ConfirmDialog } from "@/components/ui/confirm-dialog"
import { Field } from "@/components/ui/field"
import { Input } from "@/components/ui/input"
import { toast } from "@/components/ui/toast"

type Project = { id: string; name: string; status: string }

/** Suspending and deleting the project, for owners alone. */
export function DangerZone({ project }: { project: Project }) {
  if (useRole() !== "owner") return null
  const suspended = project.status === "suspended"
  return (
    <Card id="danger-zone" aria-labelledby="danger-zone-title" className="scroll-mt-16 border-bad/40">
      <CardHeader id="danger-zone-title" title="Danger zone" description="Only owners see this." />
      <ul className="divide-y divide-line">
        <Act
          title={suspended ? "Resume project" : "Suspend project"}
          text={
            suspended
              ? "Sends are accepted again, and email that waited is sent unless its deadline has passed."
              : "Sends are refused, and queued and scheduled email waits until you resume it. Pages, contacts and API reads still work; tracked links do not."
          }
        >
          {suspended ? <ResumeButton projectId={project.id} /> : <Suspend project={project} />}
        </Act>
        <Act
          title="Delete project"
          text="Nothing is sent, and API keys are refused. You can restore it for 7 days; then it is permanently removed with all its data."
        >
          <Delete project={project} />
        </Act>
      </ul>
    </Card>
  )
}

function Act({ title, text, children }: { title: string; text: string; children: ReactNode }) {
  return (
    <li className="flex flex-wrap items-center justify-between gap-x-6 gap-y-3 px-4 py-3 sm:flex-nowrap">
      <div className="min-w-0">
        <h3 className="font-medium">{title}</h3>
        <p className="text-muted">{text}</p>
      </div>
      <div className="shrink-0">{children}</div>
    </li>
  )
}

function Suspend({ project: { id, name } }: { project: Project }) {
  const router = useRouter()
  const [reason, setReason] = useState("")
  const suspend = useCall("POST /v1/projects/{projectId}/suspend", ["GET /v1/projects/{projectId}", "GET /v1/session"])

  async function confirmed() {
    const given = reason.trim()
    await suspend.mutateAsync({ params: { projectId: id }, body: given ? { reason: given } : {} })
    router.refresh()
    toast.success(`${name} is suspended`)
  }

  return (
    <ConfirmDialog
      trigger={<Button>Suspend project</Button>}
      title={`Suspend ${name}?`}
      action="Suspend project"
      onConfirm={confirmed}
    >
      <p>
        Sends are refused at once. Queued and scheduled email waits; email that is being sent at this moment may still
        be delivered. Tracked links in delivered email stop working until you resume the project.
      </p>
      <Field className="mt-4 mb-0 text-text" label="Reason" hint="Optional. Everyone who opens the project sees it.">
        <Input
          value={reason}
          maxLength={200}
          autoComplete="off"
          onChange={(event) => setReason(event.currentTarget.value)}
        />
      </Field>
    </ConfirmDialog>
  )
}

function Delete({ project: { id, name } }: { project: Project }) {
  const router = useRouter()
  const remove = useCall("DELETE /v1/projects/{projectId}", ["GET /v1/session"])

  async function confirmed() {
    await remove.mutateAsync({ params: { projectId: id }, query: { name } })
    router.refresh()
    toast.success(`${name} was deleted`)
  }

  return (
    <ConfirmDialog
      trigger={<Button variant="outlined">Delete project</Button>}
      title={`Delete ${name}?`}
      action="Delete project"
      typeName={name}
      onConfirm={confirmed}
    >
      <Belongings projectId={id} />
      <p className="mt-2">
        Its API keys stop working at once, and nothing is sent. You can restore it for 7 days; then all of this is
        permanently removed.
      </p>
    </ConfirmDialog>
  )
}

function ResumeButton({ projectId }: { projectId: string }) {
  const router = useRouter()
  const resume = useCall("POST /v1/projects/{projectId}/resume", ["GET /v1/projects/{projectId}", "GET /v1/session"])

  async function act() {
    try {
      await resume.mutateAsync({ params: { projectId } })
      router.refresh()
      toast.success("The project is active again", { description: "Email that waited is being sent." })
    } catch (error) {
      toast.error("The project was not resumed", { description: error instanceof Error ? error.message : undefined })
    }
  }

  return (
    <Button loading={resume.isPending} onClick={() => void act()}>
      Resume project
    </Button>
  )
}

/** What is removed with a project, counted as the dialog opens. */
function Belongings({ projectId }: { projectId: string }) {
  const one = { params: { projectId }, query: { page: 1, size: 1 } }
  const [emails, contacts, settings] = useQueries({
    queries: [
      { ...query("GET /v1/projects/{projectId}/emails", one), staleTime: 0 },
      { ...query("GET /v1/projects/{projectId}/contacts", one), staleTime: 0 },
      { ...query("GET /v1/projects/{projectId}/settings", { params: { projectId } }), staleTime: 0 },
    ],
  })
  const counts = [
    { label: "Emails", total: emails.data?.page.total },
    { label: "Contacts", total: contacts.data?.page.total },
    { label: "Domains", total: settings.data?.limits.maxDomains.used },
    { label: "API keys", total: settings.data?.limits.maxApiKeys.used },
  ]
  return (
    <dl className="mt-2 grid grid-cols-2 gap-x-4 gap-y-2 sm:grid-cols-4">
      {counts.map(({ label, total }) => (
        <div key={label}>
          <dt className="text-sm">{label}</dt>
          <dd className="font-semibold text-text tabular-nums">{total === undefined ? "…" : formatNumber(total)}</dd>
        </div>
      ))}
    </dl>
  )
}
