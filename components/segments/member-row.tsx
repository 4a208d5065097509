"use client"

import { UserMinus } from "lucide-react"
import Link from "next/link"
import { useMay } from "@/components/access/powers"
import { problemOf } from "@/components/data/call"
import { useCall } from "@/components/data/use-call"
import { type MemberPage, membersRoute, type Segment, segmentRoute } from "@/components/segments/queries"
import { IconButton } from "@/components/ui/button"
import { toast, undoMs } from "@/components/ui/toast"

export type SegmentMember = MemberPage["data"][number]

type MemberRowProps = { projectId: string; segment: Segment; member: SegmentMember }

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

const changed = [
  membersRoute,
  segmentRoute,
  "GET /v1/projects/{projectId}/contacts",
  "GET /v1/projects/{projectId}/contacts/{contactId}",
] as const

type Person = { contactId: string; email: string }
type Undo = (person: Person) => Promise<void>

/** Adds and removes contacts manually; the notice offers to undo it. */
export function useMembership(projectId: string, segment: Segment) {
  const adding = useCall("POST /v1/projects/{projectId}/contacts/{contactId}/segments", changed)
  const removing = useCall("DELETE /v1/projects/{projectId}/contacts/{contactId}/segments/{segmentId}", changed)

  // Awaited, because the row unmounts before the notice appears.
  async function add(person: Person, undo?: Undo) {
    const { contactId, email } = person
    try {
      await adding.mutateAsync({ params: { projectId, contactId }, body: { segmentId: segment.id } })
      say(
        `${email} was added`,
        segment.filter && "The contact stays in, even if it does not match the filter.",
        undo && (() => undo(person)),
      )
    } catch (error) {
      toast.error(`${email} was not added`, { description: problemOf(error).detail })
    }
  }

  async function remove(person: Person, undo?: Undo) {
    const { contactId, email } = person
    try {
      await removing.mutateAsync({ params: { projectId, contactId, segmentId: segment.id } })
      say(
        `${email} was removed`,
        segment.filter && "The filter does not add the contact again.",
        undo && (() => undo(person)),
      )
    } catch (error) {
      toast.error(`${email} was not removed`, { description: problemOf(error).detail })
    }
  }

  return {
    add: (person: Person) => void add(person, remove),
    remove: (person: Person) => void remove(person, add),
    pending: adding.isPending || removing.isPending,
  }
}

function say(text: string, description: string | false | null | undefined, undo: (() => Promise<void>) | undefined) {
  toast.success(text, {
    description: description || undefined,
    ...(undo ? { duration: undoMs, action: { label: "Undo", onClick: () => void undo() } } : {}),
  })
}
