"use client"

import { useState } from "react"
import { problemOf } from "@/components/data/call"
import { useCall } from "@/components/data/use-call"
import { Button } from "@/components/ui/button"
import { ConfirmDialog } from "@/components/ui/confirm-dialog"
import { useStay } from "@/components/ui/leaving"
import type { Group } from "@/lib/segments/rules"
import { isComplete } from "@/components/segments/conditions"
import { FilterBuilder } from "@/components/segments/filter-builder"
import { membersRoute, segmentRoute, segmentsRoute, type Segment } from "@/components/segments/queries"

const first: Group = { all: [{ field: "engagement", event: "opened", operator: "within_days", days: 30 }] }

export function EditFilter({ projectId, segment, done }: { projectId: string; segment: Segment; done: () => void }) {
  const change = useCall("PATCH /v1/projects/{projectId}/segments/{segmentId}", [
    segmentRoute,
    segmentsRoute,
    membersRoute,
  ])
  const [filter, setFilter] = useState<Group>(segment.filter ?? first)
  const save = (next: Group | null) =>
    change.mutateAsync({ params: { projectId, segmentId: segment.id }, body: { filter: next } })
  useStay(
    filter !== (segment.filter ?? first),
    isComplete(filter)
      ? () =>
          save(filter).then(
            () => true,
            () => false,
          )
      : undefined,
  )

  return (
    <div className="mb-4">
      <FilterBuilder projectId={projectId} segmentId={segment.id} filter={filter} onChange={setFilter} />
      {change.error ? (
        <p role="alert" className="mb-3 text-sm text-bad">
          {problemOf(change.error).detail}
        </p>
      ) : null}
      <div className="flex flex-row-reverse flex-wrap gap-2">
        <Button
          variant="primary"
          loading={change.isPending}
          disabled={!isComplete(filter)}
          onClick={() => void save(filter).then(done, () => undefined)}
        >
          Save filter
        </Button>
        <Button onClick={done}>Cancel</Button>
        {segment.filter ? (
          <ConfirmDialog
            trigger={<Button variant="ghost">Remove filter</Button>}
            title={`Remove the filter of ${segment.name}?`}
            action="Remove filter"
            onConfirm={async () => {
              await save(null)
              done()
            }}
          >
            <p>Members by the filter are removed. Manually added members stay.</p>
          </ConfirmDialog>
        ) : null}
      </div>
    </div>
  )
}
