"use client"

import { useState, type FormEvent } from "react"
import { problemOf } from "@/components/api/problem"
import { callThen, useCall } from "@/components/api/use-call"
import { segmentsRoute } from "@/components/segments/queries"
import { Button } from "@/components/ui/button"
import { Field } from "@/components/ui/field"
import { Input } from "@/components/ui/input"

type JoinNewSegmentProps = { projectId: string; name: string; onCreated: (segmentId: string) => void }

/** Creates the manual segment that the rows of a file join, named after the file unless somebody says otherwise. */
export function JoinNewSegment({ projectId, name: proposed, onCreated }: JoinNewSegmentProps) {
  const create = useCall("POST /v1/projects/{projectId}/segments", [segmentsRoute])
  const [name, setName] = useState(proposed)
  const problem = create.error ? problemOf(create.error) : undefined

  function submit(event: FormEvent) {
    event.preventDefault()
    callThen(create, { params: { projectId }, body: { name } }, ({ id }) => onCreated(id))
  }

  return (
    <form onSubmit={submit} className="grid grid-cols-[minmax(0,1fr)_auto] items-start gap-2 sm:col-span-2">
      <Field label="Name of the segment" error={problem?.detail ?? problem?.title} className="mb-0">
        <Input value={name} autoComplete="off" onChange={({ target }) => setName(target.value)} />
      </Field>
      {/* Beside the field, below its label. */}
      <Button type="submit" className="mt-6.5" disabled={name.trim() === ""} loading={create.isPending}>
        Create segment
      </Button>
    </form>
  )
}
