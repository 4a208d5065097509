"use client"

import { useQuery } from "@tanstack/react-query"
import { useRouter } from "next/navigation"
import { useState } from "react"
import { May } from "@/components/access/powers"
import { type Broadcast, broadcastPreviewQuery } from "@/components/broadcasts/queries"
import { OpenChecks } from "@/components/compose/open-checks"
import { isEditable } from "@/components/compose/editable"
import { useCall } from "@/components/data/use-call"
import { Button, ButtonLink } from "@/components/ui/button"
import { ConfirmDialog } from "@/components/ui/confirm-dialog"
import { toast } from "@/components/ui/toast"
import { nextStatus } from "@/lib/broadcasts/rules"
import { formatNumber } from "@/lib/platform/format"
import { lackingCheck, type LackingValues } from "@/components/compose/lacking"

const reads = [
  "GET /v1/projects/{projectId}/broadcasts",
  "GET /v1/projects/{projectId}/broadcasts/{broadcastId}",
] as const

type BroadcastProps = { projectId: string; broadcast: Broadcast }

/** What the state of a broadcast allows: send, pause, resume, cancel; and a copy of it at any time. */
export function BroadcastActions({ projectId, broadcast }: BroadcastProps) {
  const router = useRouter()
  const { id, status, subject, counts } = broadcast
  const input = { params: { projectId, broadcastId: id } }
  const pause = useCall("POST /v1/projects/{projectId}/broadcasts/{broadcastId}/pause", reads)
  const resume = useCall("POST /v1/projects/{projectId}/broadcasts/{broadcastId}/resume", reads)
  const cancel = useCall("POST /v1/projects/{projectId}/broadcasts/{broadcastId}/cancel", reads)
  const copy = useCall("POST /v1/projects/{projectId}/broadcasts/{broadcastId}/duplicate", reads)
  const may = (step: "send" | "pause" | "resume" | "cancel") => nextStatus(status, step) !== null
  const failed = (error: Error) => void toast.error(error.message)

  async function duplicate() {
    try {
      const made = await copy.mutateAsync(input)
      toast.success("Copied to a new draft")
      router.push(`/projects/${projectId}/broadcasts/${made.id}`)
    } catch (error) {
      failed(error as Error)
    }
  }
  return (
    <May permission="emails:send">
      <Button loading={copy.isPending} onClick={() => void duplicate()}>
        Duplicate
      </Button>
      {isEditable(broadcast) ? (
        <ButtonLink href={`/projects/${projectId}/emails/compose?draft=${id}`}>Edit</ButtonLink>
      ) : null}
      {may("pause") ? (
        <Button loading={pause.isPending} onClick={() => pause.mutate(input, { onError: failed })}>
          Pause
        </Button>
      ) : null}
      {may("cancel") ? (
        <ConfirmDialog
          trigger={<Button>Cancel broadcast</Button>}
          title={`Cancel “${subject}”?`}
          action="Cancel broadcast"
          onConfirm={async () => void (await cancel.mutateAsync(input))}
        >
          {formatNumber(counts.accepted)} emails already accepted are still sent. No one else gets it, and it cannot be
          resumed.
        </ConfirmDialog>
      ) : null}
      {may("resume") ? (
        <Button variant="primary" loading={resume.isPending} onClick={() => resume.mutate(input, { onError: failed })}>
          Resume
        </Button>
      ) : null}
      {may("send") ? <SendNow projectId={projectId} broadcast={broadcast} /> : null}
    </May>
  )
}

/** Asks once, with how many people get it and what is worth a thought. */
function SendNow({ projectId, broadcast }: BroadcastProps) {
  const [asking, setAsking] = useState(false)
  const send = useCall("POST /v1/projects/{projectId}/broadcasts/{broadcastId}/send", reads)
  const { data } = useQuery({ ...broadcastPreviewQuery(projectId, broadcast, ""), enabled: asking })
  const { id, subject } = broadcast
  const count = data && `${data.complete ? "" : "at least "}${formatNumber(data.sendable)}`
  const people = data ? `${count} ${data.sendable === 1 ? "person" : "people"}` : "everyone in its audience"
  return (
    <ConfirmDialog
      trigger={<Button variant="primary">Send now</Button>}
      open={asking}
      onOpenChange={setAsking}
      title={`Send “${subject}” to ${people}?`}
      action="Send broadcast"
      tone="primary"
      onConfirm={async () => void (await send.mutateAsync({ params: { projectId, broadcastId: id } }))}
    >
      Each gets a separate message. People who are unsubscribed or suppressed do not get it.
      <OpenChecks checks={data ? sendChecks(broadcast, data) : []} />
    </ConfirmDialog>
  )
}

type Check = { id: string; title: string; detail?: string }

/** What is worth a thought before a stored broadcast is sent. */
function sendChecks({ html, text }: Pick<Broadcast, "html" | "text">, preview: LackingValues): Check[] {
  const checks: Check[] = []
  if (preview.sendable === 0) checks.push({ id: "people", title: "No one in its audience can get email" })
  if (html !== undefined && text === undefined)
    checks.push({
      ...{ id: "text", title: "No text part" },
      detail: "Some mail programs show only text, and spam filters expect it.",
    })
  const lacking = lackingCheck(preview)
  return lacking ? [...checks, { id: "lacking", ...lacking }] : checks
}
