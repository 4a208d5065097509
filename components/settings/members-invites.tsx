"use client"

import { useQuery } from "@tanstack/react-query"
import { RotateCw, X } from "lucide-react"
import { useState } from "react"
import { useRole } from "@/components/access/powers"
import { problemOf } from "@/components/data/problem"
import { Card, CardHeader } from "@/components/ui/card"
import { ConfirmDialog } from "@/components/ui/confirm-dialog"
import { Dialog } from "@/components/ui/dialog"
import { IconButton } from "@/components/ui/icon-button"
import { Pill } from "@/components/ui/pill"
import { RelativeTime } from "@/components/ui/relative-time"
import { Table, Td, Th } from "@/components/ui/table"
import { toast } from "@/components/ui/toast"
import { mayManage } from "@/lib/access/rules"
import type { InviteWire } from "@/lib/access/people/members-schema"
import { InviteLink } from "@/components/settings/members-invite"
import { inviteList, useInvite, useRevokeInvite } from "@/components/settings/members-queries"

/** Invites that nobody has accepted yet. */
export function OpenInvites({ projectId }: { projectId: string }) {
  const { data } = useQuery(inviteList(projectId))
  if (!data?.data.length) return null
  return (
    <Card>
      <CardHeader title="Pending invites" description="Invites that have not been accepted." />
      <Table label="Pending invites" minWidth="min-w-0">
        <thead>
          <tr>
            <Th>Address</Th>
            <Th className="hidden w-36 md:table-cell">Ends</Th>
            <Th className="hidden w-40 sm:table-cell">Role</Th>
            <Th className="w-22 px-0 sm:w-24">
              <span className="sr-only">Actions</span>
            </Th>
          </tr>
        </thead>
        <tbody>
          {data.data.map((invite) => (
            <Row key={invite.id} projectId={projectId} invite={invite} />
          ))}
        </tbody>
      </Table>
    </Card>
  )
}

function Row({ projectId, invite }: { projectId: string; invite: InviteWire }) {
  const [now] = useState(() => Date.now())
  const over = Date.parse(invite.expiresAt) <= now
  const mine = mayManage(useRole(), invite.role)
  return (
    <tr>
      <Td className="[overflow-wrap:anywhere]">
        <span className="font-medium">{invite.email}</span>
        {invite.invitedBy ? <span className="block text-muted">by {invite.invitedBy}</span> : null}
        <span className="block text-muted sm:hidden">
          as {invite.role}
          {over ? ", expired" : ""}
        </span>
        {invite.undelivered ? <span className="block text-bad">Not delivered. {invite.undelivered}</span> : null}
      </Td>
      <Td muted className="hidden md:table-cell">
        {over ? (
          <Pill tone="wait" tip="The link has expired. Send the invite again.">
            Expired
          </Pill>
        ) : (
          <RelativeTime at={invite.expiresAt} />
        )}
      </Td>
      <Td className="hidden capitalize sm:table-cell">{invite.role}</Td>
      <Td className="py-2 pr-2 pl-0 text-right whitespace-nowrap sm:pr-3">
        {mine ? (
          <>
            <Again projectId={projectId} invite={invite} />
            <Back projectId={projectId} invite={invite} />
          </>
        ) : null}
      </Td>
    </tr>
  )
}

/** Sends a new link that replaces the earlier one. */
function Again({ projectId, invite: { email, role } }: { projectId: string; invite: InviteWire }) {
  const invite = useInvite()
  const [url, setUrl] = useState<string>()

  async function send() {
    try {
      const sent = await invite.mutateAsync({ params: { projectId }, body: { email, role } })
      if (sent.url) return setUrl(sent.url)
      toast.success(`${email} is invited again`, { description: "The earlier link no longer works." })
    } catch (error) {
      toast.error("The invite was not sent again", { description: problemOf(error).detail })
    }
  }

  return (
    <>
      <IconButton label={`Send the invite to ${email} again`} icon={<RotateCw />} onClick={() => void send()} />
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
