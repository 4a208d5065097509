"use client"

import { UserMinus } from "lucide-react"
import { useMay } from "@/components/access/powers"
import { IconButton } from "@/components/ui/icon-button"
import type { Segment } from "@/components/segments/queries"
import { useMembership } from "@/components/segments/use-membership"

type RemoveMemberProps = { projectId: string; segment: Segment; contactId: string; email: string }

/** Removes a contact manually; the notice offers to undo it. */
export function RemoveMember({ projectId, segment, contactId, email }: RemoveMemberProps) {
  const may = useMay("contacts:write")
  const { putOut, pending } = useMembership(projectId, segment)
  if (!may) return null
  return (
    <IconButton
      label={`Put ${email} out`}
      icon={<UserMinus />}
      loading={pending}
      onClick={() => putOut({ contactId, email })}
    />
  )
}
