"use client"

import { lazy, Suspense, useState } from "react"
import { May } from "@/components/access/powers"
import { useCall } from "@/components/data/use-call"
import { Button, ButtonLink } from "@/components/ui/button"
import { ConfirmDialog } from "@/components/ui/confirm-dialog"
import { toast } from "@/components/ui/toast"
import { isRepeatable } from "@/components/emails/selection"
import type { Email } from "@/components/emails/queries"

const EmailDialogs = lazy(() =>
  import("@/components/emails/email-dialogs").then((module) => ({ default: module.EmailDialogs })),
)

type EmailActionsProps = { email: Email; projectId: string; baseUrl: string }

export function EmailActions({ email, projectId, baseUrl }: EmailActionsProps) {
  const [open, setOpen] = useState<"curl" | "reschedule" | null>(null)
  return (
    <>
      <Button aria-haspopup="dialog" onClick={() => setOpen("curl")}>
        Show as curl
      </Button>
      <May permission="emails:send">
        {isRepeatable(email.status) ? (
          <ButtonLink href={`/projects/${projectId}/emails/compose?again=${email.id}`}>Send again</ButtonLink>
        ) : null}
        {email.status === "scheduled" ? (
          <>
            <Button aria-haspopup="dialog" onClick={() => setOpen("reschedule")}>
              Reschedule
            </Button>
            <CancelEmail email={email} projectId={projectId} />
          </>
        ) : null}
      </May>
      {open ? (
        <Suspense>
          <EmailDialogs
            email={email}
            projectId={projectId}
            baseUrl={baseUrl}
            open={open}
            onClose={() => setOpen(null)}
          />
        </Suspense>
      ) : null}
    </>
  )
}

type EmailProps = { email: Email; projectId: string }

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
