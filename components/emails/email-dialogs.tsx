"use client"

import { Reschedule } from "@/components/emails/reschedule"
import { CurlDialog } from "@/components/data/curl-dialog"
import { curlOf } from "@/components/emails/curl"
import type { Email } from "@/components/emails/types"
import { Dialog } from "@/components/ui/dialog"

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
