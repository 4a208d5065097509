"use client"

import { UserPlus } from "lucide-react"
import { lazy, Suspense, useState } from "react"
import { useMay } from "@/components/access/powers"
import { Button } from "@/components/ui/button"
import { Dialog } from "@/components/ui/dialog"
import { Skeleton } from "@/components/ui/skeleton"
import type { Segment } from "@/components/segments/queries"
import { useMembership } from "@/components/segments/use-membership"

const loadSearch = () => import("@/components/segments/member-search")
const MemberSearch = lazy(loadSearch)

/** Adds a contact manually; the notice offers to undo it. */
export function AddMember({ projectId, segment }: { projectId: string; segment: Segment }) {
  const may = useMay("contacts:write")
  const [open, setOpen] = useState(false)
  const { add, pending } = useMembership(projectId, segment)
  if (!may) return null

  function pick(person: { contactId: string; email: string }) {
    setOpen(false)
    add(person)
  }

  return (
    <Dialog
      trigger={
        <Button
          icon={<UserPlus />}
          loading={pending}
          onPointerEnter={() => void loadSearch()}
          onFocus={() => void loadSearch()}
        >
          Add a contact
        </Button>
      }
      open={open}
      onOpenChange={setOpen}
      title={`Add a contact to ${segment.name}`}
      description={
        segment.filter ? "A contact that you add stays in, even if it does not match the filter." : undefined
      }
    >
      <Suspense fallback={<Skeleton className="h-56" />}>
        <MemberSearch projectId={projectId} segmentId={segment.id} onPick={pick} />
      </Suspense>
    </Dialog>
  )
}
