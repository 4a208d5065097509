"use client"

import { PenLine } from "lucide-react"
import { useState } from "react"
import { useMay } from "@/components/access/powers"
import { Form, FormRefusal } from "@/components/data/form"
import { useCall } from "@/components/data/use-call"
import { usePageForm } from "@/components/data/use-page-form"
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
  const form = usePageForm({
    schema: () => import("@/lib/segments/schema").then(({ SegmentChange }) => SegmentChange),
    defaultValues: { name: segment.name },
    refusals: { "segment.already_exists": { field: "name" } },
    async save(body) {
      await change.mutateAsync({ params: { projectId, segmentId: segment.id }, body })
      done()
    },
  })

  return (
    <Form form={form}>
      <FormRefusal form={form} />
      <Field label="Name" error={form.faultOf("name")}>
        <Input autoComplete="off" {...form.input("name")} />
      </Field>
      <DialogFooter>
        <Button type="submit" variant="primary" loading={form.saving}>
          Rename
        </Button>
        <DialogClose>
          <Button>Cancel</Button>
        </DialogClose>
      </DialogFooter>
    </Form>
  )
}
