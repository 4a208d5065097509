"use client"

import { useQuery } from "@tanstack/react-query"
import { problemOf } from "@/components/data/problem"
import { useRole } from "@/components/access/powers"
import { Card, CardHeader } from "@/components/ui/card"
import { ErrorState } from "@/components/ui/error-state"
import { SkeletonRows } from "@/components/ui/skeleton"
import { Table, Th } from "@/components/ui/table"
import { grantableRoles } from "@/lib/access/rules"
import { InviteDialog } from "@/components/settings/members-invite"
import { OpenInvites } from "@/components/settings/members-invites"
import { memberList } from "@/components/settings/members-queries"
import { MemberRow } from "@/components/settings/members-row"

type MembersProps = { projectId: string; organization: string }

/** Who belongs to the organization, and who is asked to. */
export function Members({ projectId, organization }: MembersProps) {
  const role = useRole()
  const manages = grantableRoles(role).length > 0
  const { data, error, refetch, isRefetching } = useQuery(memberList(projectId))
  if (error && !data) {
    const { detail, title, requestId } = problemOf(error)
    return (
      <Card>
        <ErrorState
          message={detail ?? title}
          requestId={requestId}
          onRetry={() => void refetch()}
          retrying={isRefetching}
        />
      </Card>
    )
  }
  if (!data)
    return (
      <Card>
        <SkeletonRows rows={4} />
      </Card>
    )

  const members = data.data
  const owners = members.filter((member) => member.role === "owner").length
  return (
    <>
      <Card>
        <CardHeader
          title={`${members.length} ${members.length === 1 ? "member" : "members"} of ${organization}`}
          description="Members see every project of the organization. Their role determines what they can do."
          actions={manages ? <InviteDialog projectId={projectId} organization={organization} /> : null}
        />
        <Table label="Members" minWidth="min-w-0">
          <thead>
            <tr>
              <Th>Member</Th>
              <Th className="hidden w-36 md:table-cell">Joined</Th>
              <Th className="w-32 px-2 sm:w-40 sm:px-4">Role</Th>
              <Th className="w-10 px-0 sm:w-24">
                <span className="sr-only">Actions</span>
              </Th>
            </tr>
          </thead>
          <tbody>
            {members.map((member) => (
              <MemberRow
                key={member.id}
                projectId={projectId}
                organization={organization}
                member={member}
                lastOwner={member.role === "owner" && owners === 1}
              />
            ))}
          </tbody>
        </Table>
      </Card>
      {manages ? <OpenInvites projectId={projectId} /> : null}
    </>
  )
}
