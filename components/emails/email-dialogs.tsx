"use client"

import { CurlDialog } from "@/components/data/curl-dialog"
import { Form, FormRefusal } from "@/components/data/form"
import { useCall } from "@/components/data/use-call"
import { usePageForm } from "@/components/late-parts/use-page-form"
import { curlOf } from "@/components/emails/curl"
import type { Email } from "@/components/emails/queries"
import { Button } from "@/components/ui/button"
import { Dialog, DialogClose, DialogFooter } from "@/components/ui/dialog"
import { Field } from "@/components/ui/field"
import { Input } from "@/components/ui/input"
import { localTime } from "@/components/ui/time-words"
import { toast } from "@/components/ui/toast"

type EmailDialogsProps = {
  email: Email
  projectId: string
  baseUrl: string
  open: "curl" | "reschedule"
  onClose: () => void
}

/** What an email's buttons open; loaded with the first press. */
export function EmailDialogs({ email, projectId, baseUrl, open, onClose }: EmailDialogsProps) {
  if (open === "curl")
    return (
      <CurlDialog
        title="Send this email with curl"
        description="The same email as one command. It leaves out attachments and headers."
        code={curlOf(email, baseUrl)}
        onClose={onClose}
      />
    )
  return (
    <Dialog
      open
      onOpenChange={onClose}
      title="Reschedule this email"
      description="Its id and content stay the same."
      size="small"
    >
      <Reschedule email={email} projectId={projectId} onDone={onClose} />
    </Dialog>
  )
}

type RescheduleProps = { email: Email; projectId: string; onDone: () => void }

/** The form in the dialog of a scheduled email. */
function Reschedule({ email, projectId, onDone }: RescheduleProps) {
  const move = useCall("PATCH /v1/emails/{emailId}", [
    "GET /v1/projects/{projectId}/emails",
    "GET /v1/projects/{projectId}/emails/{emailId}",
    "GET /v1/projects/{projectId}/emails/{emailId}/explanation",
  ])
  const form = usePageForm({
    defaultValues: { scheduledAt: email.scheduledAt ? localTime(new Date(email.scheduledAt)) : "" },
    rules: { scheduledAt: (at) => (Number.isFinite(new Date(at).getTime()) ? undefined : "Choose a time.") },
    async save({ scheduledAt }) {
      await move.mutateAsync({
        params: { emailId: email.id },
        query: { projectId },
        body: { scheduledAt: new Date(scheduledAt).toISOString() },
      })
      toast.success("Email rescheduled")
      onDone()
    },
  })

  return (
    <Form form={form}>
      <FormRefusal form={form} title="The email was not rescheduled." />
      <Field
        label="Send at"
        error={form.faultOf("scheduledAt")}
        hint={`Your time, ${Intl.DateTimeFormat().resolvedOptions().timeZone}; 30 seconds to 30 days ahead.`}
        required
      >
        <Input type="datetime-local" autoFocus className="max-w-60" {...form.input("scheduledAt")} />
      </Field>
      <DialogFooter>
        <Button type="submit" variant="primary" loading={form.saving}>
          Reschedule
        </Button>
        <DialogClose>
          <Button>Keep the time</Button>
        </DialogClose>
      </DialogFooter>
    </Form>
  )
}
