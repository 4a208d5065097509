"use client"

import { UserMinus } from "lucide-react"
import Link from "next/link"
import { useMay } from "@/components/access/powers"
import { IconButton } from "@/components/ui/icon-button"
import type { MemberPage, Segment } from "@/components/segments/queries"
import { useMembership } from "@/components/segments/use-membership"

export type Member = MemberPage["data"][number]

type MemberRowProps = { projectId: string; segment: Segment; member: Member }

export function MemberRow({ projectId, segment, member }: MemberRowProps) {
  const { contactId, email, firstName, lastName } = member
  return (
    <div className="flex min-h-[45px] items-center gap-4 border-b border-line pr-2 pl-4 hover:bg-sunken">
      <Link
        data-row
        href={`/projects/${projectId}/contacts/${contactId}`}
        prefetch={false}
        className="flex min-w-0 flex-1 gap-x-3 rounded-sm max-sm:flex-col max-sm:py-2 max-sm:leading-4.5"
      >
        <span className="truncate font-medium sm:shrink-0">{email}</span>
        <span className="truncate text-muted">{[firstName, lastName].filter(Boolean).join(" ")}</span>
      </Link>
      <RemoveMember projectId={projectId} segment={segment} contactId={contactId} email={email} />
    </div>
  )
}

type RemoveMemberProps = { projectId: string; segment: Segment; contactId: string; email: string }

/** Removes a contact manually; the notice offers to undo it. */
function RemoveMember({ projectId, segment, contactId, email }: RemoveMemberProps) {
  const may = useMay("contacts:write")
  const { remove, pending } = useMembership(projectId, segment)
  if (!may) return null
  return (
    <IconButton
      label={`Remove ${email}`}
      icon={<UserMinus />}
      loading={pending}
      onClick={() => remove({ contactId, email })}
    />
  )
}
