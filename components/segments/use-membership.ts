"use client"

import { problemOf } from "@/components/api/problem"
import { useCall } from "@/components/api/use-call"
import { toast } from "@/components/ui/toast"
import { membersRoute, segmentRoute, type Segment } from "@/components/segments/queries"

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
  const add = useCall("POST /v1/projects/{projectId}/contacts/{contactId}/segments", changed)
  const remove = useCall("DELETE /v1/projects/{projectId}/contacts/{contactId}/segments/{segmentId}", changed)

  // Awaited, because the row unmounts before the notice appears.
  async function putIn(person: Person, undo?: Undo) {
    const { contactId, email } = person
    try {
      await add.mutateAsync({ params: { projectId, contactId }, body: { segmentId: segment.id } })
      say(
        `${email} is in`,
        segment.filter && "The contact stays in, even if it does not match the filter.",
        undo && (() => undo(person)),
      )
    } catch (error) {
      toast.error(`${email} is still out`, { description: problemOf(error).detail })
    }
  }

  async function putOut(person: Person, undo?: Undo) {
    const { contactId, email } = person
    try {
      await remove.mutateAsync({ params: { projectId, contactId, segmentId: segment.id } })
      say(
        `${email} is out`,
        segment.filter && "The filter does not bring the contact back.",
        undo && (() => undo(person)),
      )
    } catch (error) {
      toast.error(`${email} is still in`, { description: problemOf(error).detail })
    }
  }

  return {
    putIn: (person: Person) => void putIn(person, putOut),
    putOut: (person: Person) => void putOut(person, putIn),
    pending: add.isPending || remove.isPending,
  }
}

function say(text: string, description: string | false | null | undefined, undo: (() => Promise<void>) | undefined) {
  toast.success(text, {
    description: description || undefined,
    ...(undo ? { action: { label: "Undo", onClick: () => void undo() } } : {}),
  })
}
