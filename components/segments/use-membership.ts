"use client"

import { problemOf } from "@/components/data/problem"
import { useCall } from "@/components/data/use-call"
import { toast, undoMs } from "@/components/ui/toast"
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
