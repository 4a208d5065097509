"use client"

import { useQueryClient } from "@tanstack/react-query"
import { useRouter } from "next/navigation"
import { useState, type FormEvent } from "react"
import { faultsOf, problemOf } from "@/components/api/problem"
import { useCall } from "@/components/api/use-call"
import { Button, ButtonLink } from "@/components/ui/button"
import { Card, CardBody } from "@/components/ui/card"
import { Field } from "@/components/ui/field"
import { Input } from "@/components/ui/input"
import { RadioCards } from "@/components/ui/radio-cards"
import type { Group } from "@/lib/segments/rules"
import { isComplete } from "@/components/segments/conditions"
import { FilterBuilder } from "@/components/segments/filter-builder"
import { segmentQuery, segmentsRoute } from "@/components/segments/queries"

type Kind = "filter" | "manual"

const first: Group = { all: [{ field: "engagement", event: "opened", operator: "within_days", days: 30 }] }

export function NewSegment({ projectId }: { projectId: string }) {
  const router = useRouter()
  const client = useQueryClient()
  const create = useCall("POST /v1/projects/{projectId}/segments", [segmentsRoute])
  const [name, setName] = useState("")
  const [kind, setKind] = useState<Kind>("filter")
  const [filter, setFilter] = useState<Group>(first)
  const [leaving, setLeaving] = useState(false)
  const taken = create.error && problemOf(create.error).code === "segment.already_exists"
  const faults = create.error ? faultsOf(create.error, ["name"]) : undefined
  const root = `/projects/${projectId}/segments`

  async function submit(event: FormEvent) {
    event.preventDefault()
    const body = { name, ...(kind === "filter" ? { filter } : {}) }
    const segment = await create.mutateAsync({ params: { projectId }, body }).catch(() => undefined)
    if (!segment) return
    setLeaving(true)
    client.setQueryData(segmentQuery(projectId, segment.id).queryKey, segment)
    router.push(`${root}/${segment.id}`)
  }

  return (
    <form noValidate onSubmit={submit}>
      <Card aria-label="Segment">
        <CardBody>
          <Field label="Name" error={faults?.fields.name ?? (taken ? faults?.root : undefined)} className="max-w-100">
            <Input
              value={name}
              onChange={(event) => setName(event.target.value)}
              placeholder="Active customers"
              autoComplete="off"
            />
          </Field>
          <RadioCards
            legend="How contacts come in"
            name="kind"
            columns={2}
            value={kind}
            onChange={({ target }) => setKind(target.value === "manual" ? "manual" : "filter")}
            options={[
              { value: "filter", label: "By a filter", hint: "Contacts are members as long as they match." },
              { value: "manual", label: "By hand", hint: "You, an import or the API put contacts in." },
            ]}
          />
        </CardBody>
      </Card>
      {kind === "filter" ? <FilterBuilder projectId={projectId} filter={filter} onChange={setFilter} /> : null}
      {faults?.root && !taken ? (
        <p role="alert" className="mb-3 text-sm text-bad">
          {faults.root}
        </p>
      ) : null}
      <div className="flex justify-end gap-2">
        <ButtonLink href={root}>Cancel</ButtonLink>
        <Button
          type="submit"
          variant="primary"
          loading={create.isPending || leaving}
          disabled={kind === "filter" && !isComplete(filter)}
        >
          Create segment
        </Button>
      </div>
    </form>
  )
}
