"use client"

import { PenLine } from "lucide-react"
import { useState, type FormEvent } from "react"
import { useMay } from "@/components/access/powers"
import { faultsOf } from "@/components/api/problem"
import { useCall } from "@/components/api/use-call"
import { Button } from "@/components/ui/button"
import { Dialog, DialogClose, DialogFooter } from "@/components/ui/dialog"
import { Field } from "@/components/ui/field"
import { Input } from "@/components/ui/input"
import { segmentRoute, segmentsRoute, type Segment } from "@/components/segments/queries"

export function RenameSegment({ projectId, segment }: { projectId: string; segment: Segment }) {
  const may = useMay("contacts:write")
  const [open, setOpen] = useState(false)
  if (!may) return null
  return (
    <Dialog
      trigger={<Button icon={<PenLine />}>Rename</Button>}
      open={open}
      onOpenChange={setOpen}
      size="small"
      title="Rename segment"
    >
      <RenameForm projectId={projectId} segment={segment} done={() => setOpen(false)} />
    </Dialog>
  )
}

function RenameForm({ projectId, segment, done }: { projectId: string; segment: Segment; done: () => void }) {
  const change = useCall("PATCH /v1/projects/{projectId}/segments/{segmentId}", [segmentRoute, segmentsRoute])
  const [name, setName] = useState(segment.name)
  const faults = change.error ? faultsOf(change.error, ["name"]) : undefined

  async function submit(event: FormEvent) {
    event.preventDefault()
    const changed = await change
      .mutateAsync({ params: { projectId, segmentId: segment.id }, body: { name } })
      .catch(() => undefined)
    if (changed) done()
  }

  return (
    <form noValidate onSubmit={submit}>
      <Field label="Name" error={faults?.fields.name ?? faults?.root}>
        <Input value={name} onChange={(event) => setName(event.target.value)} autoComplete="off" />
      </Field>
      <DialogFooter>
        <DialogClose>
          <Button>Cancel</Button>
        </DialogClose>
        <Button type="submit" variant="primary" loading={change.isPending}>
          Rename
        </Button>
      </DialogFooter>
    </form>
  )
}
