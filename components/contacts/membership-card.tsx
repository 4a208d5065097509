"use client"

import { useQuery } from "@tanstack/react-query"
import { X } from "lucide-react"
import Link from "next/link"
import { useState } from "react"
import { problemOf } from "@/components/data/call"
import { allSegmentsQuery } from "@/components/segments/queries"
import { Card, CardBody, CardHeader } from "@/components/ui/card"
import { IconButton } from "@/components/ui/icon-button"
import { Select } from "@/components/ui/select"
import { toast, undoMs } from "@/components/ui/toast"
import type { OwnProps } from "@/components/contacts/profile-card"
import { useAddToSegment, useRemoveFromSegment } from "@/components/contacts/queries"

/** The segments that the contact is in, which can be joined and left manually. */
export function MembershipCard({ projectId, contact, mayWrite }: OwnProps) {
  const segments = useQuery(allSegmentsQuery(projectId)).data?.data ?? []
  const add = useAddToSegment()
  const remove = useRemoveFromSegment()
  const [said, setSaid] = useState("")
  const nameOf = (id: string) => segments.find((segment) => segment.id === id)?.name ?? id
  const others = segments.filter(({ id }) => !contact.segments.includes(id))

  async function join(segmentId: string) {
    try {
      await add.mutateAsync({ params: { projectId, contactId: contact.id }, body: { segmentId } })
      setSaid(`Added to ${nameOf(segmentId)}.`)
    } catch (error) {
      toast.error("Not added", { description: problemOf(error).detail })
    }
  }
  async function leave(segmentId: string) {
    try {
      await remove.mutateAsync({ params: { projectId, contactId: contact.id, segmentId } })
      toast.success(`Removed from ${nameOf(segmentId)}`, {
        duration: undoMs,
        action: { label: "Undo", onClick: () => void join(segmentId) },
      })
    } catch (error) {
      toast.error("Not removed", { description: problemOf(error).detail })
    }
  }

  return (
    <Card aria-label="Segments">
      <CardHeader
        title="Segments"
        actions={
          mayWrite && others.length > 0 ? (
            <Select
              aria-label="Add to segment"
              className="w-48"
              value=""
              disabled={add.isPending}
              onChange={({ target }) => void join(target.value)}
            >
              <option value="">Add to segment …</option>
              {others.map(({ id, name }) => (
                <option key={id} value={id}>
                  {name}
                </option>
              ))}
            </Select>
          ) : null
        }
      />
      <CardBody>
        <span role="status" className="sr-only">
          {said}
        </span>
        {contact.segments.length === 0 ? <p className="text-muted">In no segment.</p> : null}
        <ul className="flex flex-wrap gap-2">
          {contact.segments.map((id) => (
            <li
              key={id}
              className="flex max-w-full items-center gap-1 rounded-md border border-line bg-sunken py-0.5 pl-2.5"
            >
              <Link href={`/projects/${projectId}/segments/${id}`} className="truncate hover:underline">
                {nameOf(id)}
              </Link>
              {mayWrite ? (
                <IconButton label={`Remove from ${nameOf(id)}`} icon={<X />} onClick={() => void leave(id)} />
              ) : (
                <span className="pr-2" />
              )}
            </li>
          ))}
        </ul>
      </CardBody>
    </Card>
  )
}
