"use client"

import { UserPlus } from "lucide-react"
import { lazy, Suspense, useState } from "react"
import type { DialogName } from "@/components/layout/dialog-names"
import { Button } from "@/components/ui/button"
import { CodeBlock } from "@/components/ui/code-block"
import { CopyButton } from "@/components/ui/copy-button"
import { Dialog, DialogClose, DialogFooter } from "@/components/ui/dialog"
import { Skeleton } from "@/components/ui/skeleton"
import type { Unsent } from "@/components/settings/members-invite-form"

const loadForm = () => import("@/components/settings/members-invite-form")
const InviteForm = lazy(loadForm)

/** An invite whose link has to be passed on by hand. */

export function InviteDialog({ projectId, organization }: { projectId: string; organization: string }) {
  const [open, setOpen] = useState(false)
  const [unsent, setUnsent] = useState<Unsent>()
  function change(next: boolean) {
    setOpen(next)
    if (!next) setUnsent(undefined)
  }
  return (
    <Dialog
      trigger={
        <Button
          variant="primary"
          icon={<UserPlus />}
          onPointerEnter={() => void loadForm()}
          onFocus={() => void loadForm()}
        >
          Invite
        </Button>
      }
      open={open}
      onOpenChange={change}
      intent={"invite-member" satisfies DialogName}
      title={unsent ? "Pass the link on" : `Invite to ${organization}`}
      description={unsent ? undefined : "They get a link that works once, within 7 days, for their address only."}
    >
      <Suspense fallback={<Skeleton className="h-80" />}>
        {unsent ? (
          <InviteLink {...unsent} />
        ) : (
          <InviteForm projectId={projectId} onUnsent={setUnsent} onSent={() => change(false)} />
        )}
      </Suspense>
    </Dialog>
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
