"use client"

import { UserPlus } from "lucide-react"
import { lazy, useState } from "react"
import { AddDialog } from "@/components/data/add-dialog"
import { Button } from "@/components/ui/button"
import { CodeBlock } from "@/components/ui/code-block"
import { CopyButton } from "@/components/ui/copy-button"
import { DialogClose, DialogFooter } from "@/components/ui/dialog"
import type { Unsent } from "@/components/settings/members-invite-form"

const loadForm = () => import("@/components/settings/members-invite-form")
const InviteForm = lazy(loadForm)

export function InviteDialog({ projectId, organization }: { projectId: string; organization: string }) {
  const [unsent, setUnsent] = useState<Unsent>()
  return (
    <AddDialog
      action="Invite"
      button={{ variant: "primary", icon: <UserPlus /> }}
      onOpenChange={(open) => (open ? undefined : setUnsent(undefined))}
      intent="invite-member"
      title={unsent ? "Pass the link on" : `Invite to ${organization}`}
      description={unsent ? undefined : "They get a link that works once, within 7 days, for their address only."}
      load={loadForm}
      height="h-80"
    >
      {(close) =>
        unsent ? <InviteLink {...unsent} /> : <InviteForm projectId={projectId} onUnsent={setUnsent} onSent={close} />
      }
    </AddDialog>
  )
}

/** The installation cannot send system email: the link is passed on by hand. */
export function InviteLink({ email, url }: Unsent) {
  return (
    <>
      <p className="mb-3 [overflow-wrap:anywhere] text-muted">
        This installation cannot send email yet, so send this link to {email} yourself. It is shown only now and works
        once. Anyone who opens it first can create the account, so use a channel that you trust.
      </p>
      <CodeBlock code={url} name="invite link" />
      <DialogFooter className="flex-row justify-end">
        <CopyButton value={url}>Copy link</CopyButton>
        <DialogClose>
          <Button variant="primary">Done</Button>
        </DialogClose>
      </DialogFooter>
    </>
  )
}
