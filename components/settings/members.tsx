"use client"

import { useQuery } from "@tanstack/react-query"
import { LogOut, UserMinus } from "lucide-react"
import { useState } from "react"
import { useRouter } from "next/navigation"
import { useRole } from "@/components/access/powers"
import { go } from "@/components/access/sign-in"
import { problemOf } from "@/components/data/call"
import { NotLoaded } from "@/components/data/load-error"
import { InviteDialog, OpenInvites } from "@/components/settings/members-invites"
import {
  memberList,
  useChangeRole,
  useRemoveMember,
  useRenameOrganization,
  memberPolicy,
  useUpdateMemberPolicy,
} from "@/components/settings/queries"
import { AddressText } from "@/components/ui/text"
import { Card, CardHeader, CardBody } from "@/components/ui/card"
import { ConfirmDialog } from "@/components/ui/confirm-dialog"
import { CopyText } from "@/components/ui/copy-button"
import { IconButton, Button } from "@/components/ui/button"
import { RelativeTime } from "@/components/ui/relative-time"
import { Select } from "@/components/ui/select"
import { type Column, DataTable } from "@/components/ui/table"
import { toast, undoMs } from "@/components/ui/toast"
import type { MemberWire } from "@/lib/access/people/schema"
import { grantableRoles, mayManage, roleWords } from "@/lib/access/rules"
import { Form, FormRefusal, filled } from "@/components/data/form"
import { usePageForm } from "@/components/late-parts/use-page-form"
import { SaveFooter } from "@/components/settings/general-form"
import { Field } from "@/components/ui/field"
import { Input } from "@/components/ui/input"

type MembersProps = { projectId: string; organization: string; organizationId: string | undefined }

/** Who belongs to the organization, and who is asked to. */
export function MemberSettings({ projectId, organization, organizationId }: MembersProps) {
  const role = useRole()
  const manages = grantableRoles(role).length > 0
  const owner = role === "owner"
  const list = useQuery(memberList(projectId))
  if (!list.data)
    return (
      <Card>
        <NotLoaded read={list} label="members" rows={4} />
      </Card>
    )
  const { data: members } = list.data
  return (
    <>
      <Card>
        <CardHeader
          title={`${members.length} ${members.length === 1 ? "member" : "members"} of ${organization}`}
          description="Members see every project of the organization. Their role determines what they can do."
          actions={manages ? <InviteDialog projectId={projectId} organization={organization} /> : null}
        />
        <DataTable
          label="Members"
          columns={memberColumns({ projectId, organization, members })}
          rows={members}
          keyOf={({ id }) => id}
        />
      </Card>
      {manages ? <OpenInvites projectId={projectId} /> : null}
      <MemberPolicyCard projectId={projectId} organization={organization} />
      {owner && organizationId ? <OrganizationForm projectId={projectId} name={organization} /> : null}
      {organizationId ? (
        <Card aria-label="Organization ID">
          <CardHeader
            title="Organization ID"
            description="For OIDC_ROLES, which gives roles to groups of an identity provider, and for the operator's commands."
            actions={<CopyText value={organizationId} name="organization id" inline />}
          />
        </Card>
      ) : null}
    </>
  )
}

type MemberProps = {
  projectId: string
  organization: string
  member: MemberWire
  /** Nobody else is an owner. */
  lastOwner: boolean
}

type Membership = { projectId: string; organization: string; members: MemberWire[] }

/** The people of an organization, with what one may change about each. */
function memberColumns({ projectId, organization, members }: Membership): Column<MemberWire>[] {
  const owners = members.filter(({ role }) => role === "owner").length
  const propsOf = (member: MemberWire) => ({
    projectId,
    organization,
    member,
    lastOwner: member.role === "owner" && owners === 1,
  })
  return [
    { head: "Member", cellClassName: "pt-3.5 [overflow-wrap:anywhere]", cell: (member) => <Name member={member} /> },
    {
      head: "Joined",
      from: "md",
      width: "w-36",
      muted: true,
      cellClassName: "pt-3.5",
      cell: ({ joinedAt }) => <RelativeTime at={joinedAt} />,
    },
    {
      head: "Role",
      width: "w-32 sm:w-40",
      className: "px-2 sm:px-4",
      cellClassName: "py-2",
      cell: (member) => <RoleSelect {...propsOf(member)} />,
    },
    {
      head: "Actions",
      headHidden: true,
      width: "w-10 px-0 sm:w-24",
      cellClassName: "py-2 pr-2 pl-0 text-right sm:pr-3",
      cell: (member) => <Removal {...propsOf(member)} />,
    },
  ]
}

function Name({ member: { email, name, you, fromGroup } }: { member: MemberWire }) {
  return (
    <>
      <span className="font-medium">{name ?? email}</span>
      {you ? <span className="ml-1.5 whitespace-nowrap text-muted">you</span> : null}
      {fromGroup ? <span className="ml-1.5 whitespace-nowrap text-muted">by group</span> : null}
      {name ? (
        <span className="block text-muted">
          <AddressText address={email} />
        </span>
      ) : null}
    </>
  )
}

function RoleSelect({ projectId, member, lastOwner }: Omit<MemberProps, "organization">) {
  const role = useRole()
  const change = useChangeRole()
  const [wanted, setWanted] = useState<MemberWire["role"]>()
  const who = member.name ?? member.email
  if (!mayManage(role, member.role) || lastOwner) {
    return (
      <span className="block py-1.5 capitalize" title={lastOwner ? "An organization needs an owner." : undefined}>
        {member.role}
      </span>
    )
  }

  const set = (next: MemberWire["role"]) =>
    change.mutateAsync({ params: { projectId, userId: member.id }, body: { role: next } })

  async function save(next: MemberWire["role"]) {
    await set(next)
    // One's own pages were drawn for the role that one had.
    if (member.you) return go(`/projects/${projectId}/settings/members`)
    toast.success(`${who} is now ${next}`, {
      description: "It takes effect within a second.",
      duration: undoMs,
      action: { label: "Undo", onClick: () => void undo() },
    })
  }
  async function undo() {
    try {
      await set(member.role)
      toast.message(`${who} is ${member.role} again`)
    } catch (error) {
      toast.error("The role was not changed back", { description: problemOf(error).detail })
    }
  }

  return (
    <>
      <Select
        aria-label={`Role of ${who}`}
        value={change.isPending ? (change.variables.body?.role ?? member.role) : member.role}
        onChange={(event) => setWanted(event.target.value as MemberWire["role"])}
        options={grantableRoles(role).map((value) => ({
          value,
          label: value.replace(/^./, (first) => first.toUpperCase()),
        }))}
      />
      <ConfirmDialog
        open={wanted !== undefined}
        onOpenChange={(open) => (open ? undefined : setWanted(undefined))}
        title={member.you ? `Become ${wanted} yourself?` : `Change the role of ${who} to ${wanted}?`}
        action={member.you ? "Change my role" : "Change role"}
        onConfirm={() => (wanted ? save(wanted) : undefined)}
      >
        {member.you
          ? "You cannot undo this yourself; another member has to give the role back."
          : `${wanted ? roleWords[wanted] : ""} It is ${member.role} now.`}
        {member.fromGroup ? " From then on, groups of your identity provider no longer change it." : null}
      </ConfirmDialog>
    </>
  )
}

function Removal({ projectId, organization, member, lastOwner }: MemberProps) {
  const role = useRole()
  const remove = useRemoveMember()
  const who = member.name ?? member.email
  if (lastOwner || !(member.you || mayManage(role, member.role))) return null

  async function confirm() {
    await remove.mutateAsync({ params: { projectId, userId: member.id } })
    if (member.you) return go("/")
    toast.success(`${who} is removed`, { description: "They lose access within seconds." })
  }

  const label = member.you ? `Leave ${organization}` : `Remove ${who}`
  return (
    <ConfirmDialog
      trigger={<IconButton label={label} icon={member.you ? <LogOut /> : <UserMinus />} />}
      title={`${label}?`}
      action={member.you ? "Leave" : "Remove member"}
      onConfirm={confirm}
    >
      {member.you ? (
        "You lose access to all its projects within seconds, and need a new invite to return."
      ) : (
        <>They lose access to all projects of {organization} within seconds, open pages and streams included.</>
      )}{" "}
      API keys continue to work, whoever created them.
      {member.fromGroup ? " While a group gives this role, the next sign-in brings it back." : null}
    </ConfirmDialog>
  )
}

/** The name of the organization, for its owners. */
function OrganizationForm({ projectId, name }: { projectId: string; name: string }) {
  const router = useRouter()
  const rename = useRenameOrganization()
  const form = usePageForm({
    schema: () => import("@/lib/access/organization/schema").then(({ OrganizationChange }) => OrganizationChange),
    values: { name },
    rules: { name: filled("Enter a name.") },
    async save(body) {
      await rename.mutateAsync({ params: { projectId }, body })
      toast.success("Saved")
      // The page and the shell around it have the name from the server.
      router.refresh()
    },
  })
  return (
    <Card>
      <Form form={form}>
        <CardHeader title="Organization name" description="Members see it, and the people you invite." />
        <CardBody>
          <FormRefusal form={form} />
          <Field label="Name" error={form.faultOf("name")} className="sm:max-w-md">
            <Input maxLength={100} autoComplete="off" {...form.input("name")} />
          </Field>
        </CardBody>
        <SaveFooter dirty={form.dirty} saving={form.saving} onReset={form.discard} />
      </Form>
    </Card>
  )
}

/** Whether the organization requires a second factor of its members; owners change it. */
function MemberPolicyCard({ projectId, organization }: { projectId: string; organization: string }) {
  const { data: policy } = useQuery(memberPolicy(projectId))
  const update = useUpdateMemberPolicy()
  const owner = useRole() === "owner"
  const [asking, setAsking] = useState(false)
  if (!policy || !(owner || policy.secondFactorRequired)) return null
  const required = policy.secondFactorRequired

  async function change() {
    await update.mutateAsync({ params: { projectId }, body: { secondFactorRequired: !required } })
    toast.success(required ? "A second factor is no longer required" : "A second factor is required")
  }

  return (
    <Card>
      <CardHeader
        title={required ? "Two-factor authentication is required" : "Two-factor authentication is optional"}
        description={
          required
            ? `Members set up a second factor before they see the projects of ${organization}.`
            : `Require it, and members without a second factor set one up before they see the projects of ${organization}.`
        }
        actions={
          owner ? <Button onClick={() => setAsking(true)}>{required ? "Make it optional" : "Require it"}</Button> : null
        }
      />
      <ConfirmDialog
        open={asking}
        onOpenChange={setAsking}
        title={required ? "Make two-factor authentication optional?" : "Require two-factor authentication?"}
        action={required ? "Make it optional" : "Require it"}
        tone="primary"
        onConfirm={change}
      >
        {required
          ? "Members may then remove their second factor."
          : "Members without a second factor no longer see any project until they have set one up. It takes effect within a second; API keys are not affected."}
      </ConfirmDialog>
    </Card>
  )
}
