"use client"

import { useQuery } from "@tanstack/react-query"
import { RotateCw, UserPlus, X } from "lucide-react"
import { lazy, useState } from "react"
import { useRole } from "@/components/access/powers"
import { AddDialog } from "@/components/data/add-dialog"
import { problemOf } from "@/components/data/call"
import { useOneAtATime } from "@/components/data/use-call"
import type { Unsent } from "@/components/settings/members-invite-form"
import { inviteList, useInvite, useRevokeInvite } from "@/components/settings/queries"
import { Button, IconButton } from "@/components/ui/button"
import { Card, CardHeader } from "@/components/ui/card"
import { CodeBlock } from "@/components/ui/code-block"
import { ConfirmDialog } from "@/components/ui/confirm-dialog"
import { CopyButton } from "@/components/ui/copy-button"
import { Dialog, DialogClose, DialogFooter } from "@/components/ui/dialog"
import { Pill } from "@/components/ui/pill"
import { RelativeTime, useOpenedAt } from "@/components/ui/relative-time"
import { type Column, DataTable } from "@/components/ui/table"
import { toast } from "@/components/ui/toast"
import type { InviteWire } from "@/lib/access/people/schema"
import { mayManage } from "@/lib/access/rules"

/** Invites that nobody has accepted yet. */
export function OpenInvites({ projectId }: { projectId: string }) {
  const now = useOpenedAt()
  const role = useRole()
  const { data } = useQuery(inviteList(projectId))
  if (!data?.data.length) return null
  return (
    <Card>
      <CardHeader title="Pending invites" description="Invites that have not been accepted." />
      <DataTable
        label="Pending invites"
        columns={columnsOf(projectId, role, now)}
        rows={data.data}
        // Sent again, it is another invite to the same address: its row stays, with the link that it shows.
        keyOf={({ email }) => email}
      />
    </Card>
  )
}

function columnsOf(projectId: string, role: string | undefined, now: number): Column<InviteWire>[] {
  const isOver = ({ expiresAt }: InviteWire) => Date.parse(expiresAt) <= now
  return [
    {
      head: "Address",
      cellClassName: "[overflow-wrap:anywhere]",
      cell: (invite) => (
        <>
          <span className="font-medium">{invite.email}</span>
          {invite.invitedBy ? <span className="block text-muted">by {invite.invitedBy}</span> : null}
          <span className="block text-muted sm:hidden">
            as {invite.role}
            {isOver(invite) ? ", expired" : ""}
          </span>
          {invite.undelivered ? <span className="block text-bad">Not delivered. {invite.undelivered}</span> : null}
        </>
      ),
    },
    {
      head: "Ends",
      from: "md",
      width: "w-36",
      muted: true,
      cell: (invite) =>
        isOver(invite) ? (
          <Pill tone="wait" tip="The link has expired. Send the invite again.">
            Expired
          </Pill>
        ) : (
          <RelativeTime at={invite.expiresAt} />
        ),
    },
    { head: "Role", from: "sm", width: "w-40", cellClassName: "capitalize", cell: (invite) => invite.role },
    {
      head: "Actions",
      headHidden: true,
      width: "w-22 px-0 sm:w-24",
      cellClassName: "py-2 pr-2 pl-0 text-right whitespace-nowrap sm:pr-3",
      cell: (invite) =>
        mayManage(role, invite.role) ? (
          <>
            <Again projectId={projectId} invite={invite} />
            <Back projectId={projectId} invite={invite} />
          </>
        ) : null,
    },
  ]
}

/** Sends a new link that replaces the earlier one. */
function Again({ projectId, invite: { email, role } }: { projectId: string; invite: InviteWire }) {
  const invite = useInvite()
  const [url, setUrl] = useState<string>()

  const send = useOneAtATime(async () => {
    try {
      const sent = await invite.mutateAsync({ params: { projectId }, body: { email, role } })
      if (sent.url) return setUrl(sent.url)
      toast.success(`${email} is invited again`, { description: "The earlier link no longer works." })
    } catch (error) {
      toast.error("The invite was not sent again", { description: problemOf(error).detail })
    }
  })

  return (
    <>
      <IconButton
        label={`Send the invite to ${email} again`}
        icon={<RotateCw />}
        loading={invite.isPending}
        onClick={() => void send()}
      />
      <Dialog
        open={url !== undefined}
        onOpenChange={(open) => (open ? undefined : setUrl(undefined))}
        title="Pass the new link on"
      >
        <InviteLink email={email} url={url ?? ""} />
      </Dialog>
    </>
  )
}

function Back({ projectId, invite: { id, email } }: { projectId: string; invite: InviteWire }) {
  const revoke = useRevokeInvite()
  async function confirm() {
    await revoke.mutateAsync({ params: { projectId, inviteId: id } })
    toast.success("Invite revoked")
  }
  return (
    <ConfirmDialog
      trigger={<IconButton label={`Revoke the invite to ${email}`} icon={<X />} />}
      title={`Revoke the invite to ${email}?`}
      action="Revoke invite"
      onConfirm={confirm}
    >
      The link stops working. You can invite them again at any time.
    </ConfirmDialog>
  )
}

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
function InviteLink({ email, url }: Unsent) {
  return (
    <>
      <p className="mb-3 [overflow-wrap:anywhere] text-muted">
        This installation cannot send email yet, so send this link to {email} yourself. It is shown only now and works
        once. Anyone who opens it first can create the account, so use a channel that you trust.
      </p>
      <CodeBlock code={url} name="invite link" />
      <DialogFooter className="flex-row justify-end">
        <CopyButton value={url} variant="primary">
          Copy link
        </CopyButton>
        <DialogClose>
          <Button>Done</Button>
        </DialogClose>
      </DialogFooter>
    </>
  )
}
