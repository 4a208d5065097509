"use client"

import { UserMinus } from "lucide-react"
import { useMay } from "@/components/access/powers"
import { problemOf } from "@/components/api/problem"
import { useCall } from "@/components/api/use-call"
import { IconButton } from "@/components/ui/icon-button"
import { toast } from "@/components/ui/toast"
import { membersRoute, segmentRoute, type Segment } from "./queries"

type RemoveMemberProps = { projectId: string; segment: Segment; contactId: string; email: string }

/** Puts a contact out by hand, and back in as long as the note is there. */
export function RemoveMember({ projectId, segment, contactId, email }: RemoveMemberProps) {
  const may = useMay("contacts:write")
  const remove = useCall("DELETE /v1/projects/{projectId}/contacts/{contactId}/segments/{segmentId}", [membersRoute, segmentRoute])
  const add = useCall("POST /v1/projects/{projectId}/contacts/{contactId}/segments", [membersRoute, segmentRoute])
  if (!may) return null

  function putOut() {
    remove.mutate(
      { params: { projectId, contactId, segmentId: segment.id } },
      {
        onSuccess: () =>
          toast.success(`${email} is out`, {
            description: segment.filter ? "The filter does not bring the contact back." : undefined,
            action: { label: "Undo", onClick: () => add.mutate({ params: { projectId, contactId }, body: { segmentId: segment.id } }) },
          }),
        onError: (error) => toast.error(`${email} is still in`, { description: problemOf(error).detail }),
      },
    )
  }

  return <IconButton label={`Put ${email} out`} icon={<UserMinus />} loading={remove.isPending} onClick={putOut} />
}
