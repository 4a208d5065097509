"use client"

import { problemOf } from "@/components/api/problem"
import { useCall } from "@/components/api/use-call"
import { toast } from "@/components/ui/toast"
import { membersRoute, segmentRoute, type Segment } from "./queries"

const contactsRoute = "GET /v1/projects/{projectId}/contacts"
const contactRoute = "GET /v1/projects/{projectId}/contacts/{contactId}"
const changed = [membersRoute, segmentRoute, contactsRoute, contactRoute] as const

type Person = { contactId: string; email: string }

/** Puts contacts in and out by hand; the note that says so takes it back as long as it is there. */
export function useMembership(projectId: string, segment: Segment) {
  const add = useCall("POST /v1/projects/{projectId}/contacts/{contactId}/segments", changed)
  const remove = useCall("DELETE /v1/projects/{projectId}/contacts/{contactId}/segments/{segmentId}", changed)

  function putIn(person: Person, undo?: () => void) {
    const { contactId, email } = person
    add.mutate({ params: { projectId, contactId }, body: { segmentId: segment.id } }, {
      onSuccess: () =>
        toast.success(`${email} is in`, {
          description: segment.filter ? "Put in by hand, the contact stays, whatever the filter says." : undefined,
          ...(undo ? { action: { label: "Undo", onClick: undo } } : {}),
        }),
      onError: (error) => toast.error(`${email} is still out`, { description: problemOf(error).detail }),
    })
  }

  function putOut(person: Person, undo?: () => void) {
    const { contactId, email } = person
    remove.mutate({ params: { projectId, contactId, segmentId: segment.id } }, {
      onSuccess: () =>
        toast.success(`${email} is out`, {
          description: segment.filter ? "The filter does not bring the contact back." : undefined,
          ...(undo ? { action: { label: "Undo", onClick: undo } } : {}),
        }),
      onError: (error) => toast.error(`${email} is still in`, { description: problemOf(error).detail }),
    })
  }

  return {
    putIn: (person: Person) => putIn(person, () => putOut(person)),
    putOut: (person: Person) => putOut(person, () => putIn(person)),
    pending: add.isPending || remove.isPending,
  }
}
