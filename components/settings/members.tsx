"use client"

import { useQuery } from "@tanstack/react-query"
import { useRole } from "@/components/access/powers"
import { NotLoaded } from "@/components/data/load-error"
import { Card, CardHeader } from "@/components/ui/card"
import { DataTable } from "@/components/ui/table"
import { grantableRoles } from "@/lib/access/rules"
import { InviteDialog } from "@/components/settings/members-invite"
import { OpenInvites } from "@/components/settings/members-invites"
import { memberList } from "@/components/settings/members-queries"
import { memberColumns } from "@/components/settings/members-row"

type MembersProps = { projectId: string; organization: string }

/** Who belongs to the organization, and who is asked to. */
export function Members({ projectId, organization }: MembersProps) {
  const manages = grantableRoles(useRole()).length > 0
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
    </>
  )
}
