"use client"

import { lazy, Suspense, useState } from "react"
import { May } from "@/components/access/powers"
import { useCall } from "@/components/api/use-call"
import { Button, ButtonLink } from "@/components/ui/button"
import { ConfirmDialog } from "@/components/ui/confirm-dialog"
import { Dialog } from "@/components/ui/dialog"
import { Skeleton } from "@/components/ui/skeleton"
import { toast } from "@/components/ui/toast"
import type { Email } from "@/components/emails/types"

const loadCurl = () => import("@/components/emails/email-curl")
const EmailCurl = lazy(loadCurl)
const Reschedule = lazy(() =>
  import("@/components/emails/reschedule").then((module) => ({ default: module.Reschedule })),
)

type EmailActionsProps = { email: Email; projectId: string; baseUrl: string }

export function EmailActions({ email, projectId, baseUrl }: EmailActionsProps) {
  return (
    <>
      <Dialog
        trigger={
          <Button onPointerEnter={() => void loadCurl()} onFocus={() => void loadCurl()}>
            Show as curl
          </Button>
        }
        title="Send this email with curl"
        description="The same email as one command. It leaves out attachments and headers. Set MAILROOM_API_KEY to one of your keys first."
        size="large"
      >
        <Suspense fallback={<Skeleton className="h-60" />}>
          <EmailCurl email={email} baseUrl={baseUrl} />
        </Suspense>
      </Dialog>
      <May permission="emails:send">
        <ButtonLink href={`/projects/${projectId}/emails/compose?again=${email.id}`}>Send again</ButtonLink>
        {email.status === "scheduled" ? (
          <>
            <RescheduleEmail email={email} projectId={projectId} />
            <CancelEmail email={email} projectId={projectId} />
          </>
        ) : null}
      </May>
    </>
  )
}

type EmailProps = { email: Email; projectId: string }

function RescheduleEmail({ email, projectId }: EmailProps) {
  const [open, setOpen] = useState(false)
  return (
    <Dialog
      trigger={<Button>Reschedule</Button>}
      open={open}
      onOpenChange={setOpen}
      title="Reschedule this email"
      description="It keeps its id, its content and its place in the log."
      size="small"
    >
      <Suspense fallback={<Skeleton className="h-32" />}>
        <Reschedule email={email} projectId={projectId} onDone={() => setOpen(false)} />
      </Suspense>
    </Dialog>
  )
}

function CancelEmail({ email, projectId }: EmailProps) {
  const cancel = useCall("DELETE /v1/emails/{emailId}", [
    "GET /v1/projects/{projectId}/emails",
    "GET /v1/projects/{projectId}/emails/{emailId}",
    "GET /v1/projects/{projectId}/emails/{emailId}/explanation",
  ])
  async function confirm() {
    await cancel.mutateAsync({ params: { emailId: email.id }, query: { projectId } })
    toast.success("Email cancelled")
  }

  return (
    <ConfirmDialog
      trigger={<Button>Cancel email</Button>}
      title={`Cancel “${email.subject}”?`}
      action="Cancel email"
      onConfirm={confirm}
    >
      It will not be sent to {email.to.join(", ")}. Its record stays; to send it after all, send it anew.
    </ConfirmDialog>
  )
}
