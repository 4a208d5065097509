"use client"

import { useQueryClient } from "@tanstack/react-query"
import { useState } from "react"
import { Form, FormRefusal } from "@/components/data/form"
import { useCall } from "@/components/data/use-call"
import { usePageForm } from "@/components/late-parts/use-page-form"
import { Button, ButtonLink } from "@/components/ui/button"
import { Card, CardBody } from "@/components/ui/card"
import { Field } from "@/components/ui/field"
import { Input } from "@/components/ui/input"
import { RadioCards } from "@/components/ui/radio-cards"
import { useGoOn, useStay } from "@/components/ui/leaving"
import type { Group } from "@/lib/segments/rules"
import { isComplete } from "@/components/segments/conditions"
import { FilterBuilder } from "@/components/segments/filter-builder"
import { segmentQuery, segmentsRoute } from "@/components/segments/queries"

type Kind = "filter" | "manual"

const first: Group = { all: [{ field: "engagement", event: "opened", operator: "within_days", days: 30 }] }

export function NewSegmentForm({ projectId }: { projectId: string }) {
  const goOn = useGoOn()
  const client = useQueryClient()
  const create = useCall("POST /v1/projects/{projectId}/segments", [segmentsRoute])
  const [kind, setKind] = useState<Kind>("filter")
  const [filter, setFilter] = useState<Group>(first)
  const root = `/projects/${projectId}/segments`
  const form = usePageForm({
    schema: () => import("@/lib/segments/schema").then(({ NewSegment }) => NewSegment),
    defaultValues: { name: "" },
    refusals: { "segment.already_exists": { field: "name" } },
    leaves: true,
    async save({ name }) {
      const body = { name, ...(kind === "filter" ? { filter } : {}) }
      const segment = await create.mutateAsync({ params: { projectId }, body })
      client.setQueryData(segmentQuery(projectId, segment.id).queryKey, segment)
      goOn(`${root}/${segment.id}`)
    },
  })
  useStay(filter !== first && !form.saving)

  return (
    <Form form={form}>
      <Card aria-label="Segment">
        <CardBody>
          <Field label="Name" error={form.faultOf("name")} className="max-w-100">
            <Input placeholder="Active customers" autoComplete="off" {...form.input("name")} />
          </Field>
          <RadioCards
            legend="How contacts are added"
            name="kind"
            columns={2}
            value={kind}
            onChange={({ target }) => setKind(target.value === "manual" ? "manual" : "filter")}
            options={[
              { value: "filter", label: "By a filter", hint: "Contacts are members as long as they match." },
              { value: "manual", label: "Manual", hint: "You, an import or the API add contacts." },
            ]}
          />
        </CardBody>
      </Card>
      {kind === "filter" ? <FilterBuilder projectId={projectId} filter={filter} onChange={setFilter} /> : null}
      <FormRefusal form={form} title="The segment was not created." />
      <div className="flex flex-row-reverse gap-2">
        <Button
          type="submit"
          variant="primary"
          loading={form.saving}
          disabled={kind === "filter" && !isComplete(filter)}
        >
          Create segment
        </Button>
        <ButtonLink href={root}>Cancel</ButtonLink>
      </div>
    </Form>
  )
}
