"use client"

import { useQuery } from "@tanstack/react-query"
import { useMemo } from "react"
import { problemOf } from "@/components/data/problem"
import { Card, CardBody, CardHeader } from "@/components/ui/card"
import { Columns } from "@/components/ui/columns"
import type { Group } from "@/lib/segments/rules"
import { isComplete } from "@/components/segments/conditions"
import { GroupEditor } from "@/components/segments/group-editor"
import { PreviewCard } from "@/components/segments/preview-card"
import { previewQuery } from "@/components/segments/queries"
import { useKnown } from "@/components/segments/use-known"
import { useSettled } from "@/components/segments/use-settled"
import { WhyCard } from "@/components/segments/why-card"

type FilterBuilderProps = { projectId: string; filter: Group; onChange: (filter: Group) => void }

/** The filter beside a preview of its matches; errors of the API are shown at their conditions. */
export function FilterBuilder({ projectId, filter, onChange }: FilterBuilderProps) {
  const known = useKnown(projectId)
  const settled = useSettled(filter)
  const ready = isComplete(filter)
  const asked = isComplete(settled) ? { filter: settled } : null
  const preview = useQuery(previewQuery(projectId, asked))
  const faults = useMemo(() => faultsOf(preview.error), [preview.error])
  return (
    <Columns layout="end">
      <div className="min-w-0">
        <Card aria-label="Filter">
          <CardHeader title="Filter" description="Membership is updated within seconds of a change." />
          <CardBody>
            <GroupEditor group={filter} onChange={onChange} known={known} faults={faults} />
          </CardBody>
        </Card>
      </div>
      <div className="min-w-0 lg:sticky lg:top-4 lg:self-start">
        <PreviewCard projectId={projectId} preview={preview} ready={ready} />
        <WhyCard projectId={projectId} about={asked} known={known} />
      </div>
    </Columns>
  )
}

function faultsOf(error: unknown): ReadonlyMap<string, string> {
  if (!error) return new Map()
  return new Map(
    (problemOf(error).errors ?? []).map(({ pointer, detail }) => [pointer.replace(/^\/filter/, ""), detail]),
  )
}
