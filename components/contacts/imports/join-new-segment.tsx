"use client"

import { Form, FormRefusal } from "@/components/data/form"
import { useApiForm } from "@/components/data/use-api-form"
import { useCall } from "@/components/data/use-call"
import { segmentsRoute } from "@/components/segments/queries"
import { Button } from "@/components/ui/button"
import { Field } from "@/components/ui/field"
import { Input } from "@/components/ui/input"

type JoinNewSegmentProps = { projectId: string; name: string; onCreated: (segmentId: string) => void }

/** Creates the manual segment for a file's contacts; its default name is the file's. */
export function JoinNewSegment({ projectId, name, onCreated }: JoinNewSegmentProps) {
  const create = useCall("POST /v1/projects/{projectId}/segments", [segmentsRoute])
  const form = useApiForm({
    schema: () => import("@/lib/segments/schema").then(({ NewSegment }) => NewSegment),
    defaultValues: { name },
    refusals: { "segment.already_exists": { field: "name" } },
    async save(body) {
      const { id } = await create.mutateAsync({ params: { projectId }, body })
      onCreated(id)
    },
  })

  return (
    <Form form={form} className="sm:col-span-2">
      <FormRefusal form={form} title="The segment was not created." />
      <div className="grid grid-cols-[minmax(0,1fr)_auto] items-start gap-2">
        <Field label="Name of the segment" error={form.faultOf("name")} className="mb-0">
          <Input autoComplete="off" {...form.input("name")} />
        </Field>
        {/* Beside the field, below its label. */}
        <Button type="submit" className="mt-6.5" loading={form.saving}>
          Create segment
        </Button>
      </div>
    </Form>
  )
}
