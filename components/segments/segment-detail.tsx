"use client"

import { useQuery } from "@tanstack/react-query"
import { PenLine } from "lucide-react"
import { useState } from "react"
import { May, useMay } from "@/components/access/powers"
import { DeleteCard } from "@/components/data/delete-card"
import { Form, FormRefusal } from "@/components/data/form"
import { FormFooter } from "@/components/data/form-footer"
import { PageNotLoaded } from "@/components/data/page-not-loaded"
import { useCall } from "@/components/data/use-call"
import { usePageForm } from "@/components/late-parts/use-page-form"
import { filterSentence } from "@/components/segments/conditions"
import { MembersCard } from "@/components/segments/members-card"
import {
  allSegmentsQuery,
  type Segment,
  segmentQuery,
  segmentRoute,
  segmentsRoute,
} from "@/components/segments/queries"
import { useKnown } from "@/components/segments/use-known"
import { WhyCard } from "@/components/segments/why-card"
import { WriteTo } from "@/components/segments/write-to"
import { Button } from "@/components/ui/button"
import { Card, CardBody, CardHeader } from "@/components/ui/card"
import { Columns } from "@/components/ui/columns"
import { CopyText } from "@/components/ui/copy-text"
import { Dialog } from "@/components/ui/dialog"
import { dynamic } from "@/components/late-parts/dynamic"
import { Field } from "@/components/ui/field"
import { Input } from "@/components/ui/input"
import { PageHeader } from "@/components/ui/page-header"
import { Pill } from "@/components/ui/pill"
import { ProgressBar } from "@/components/ui/progress"
import { RelativeTime } from "@/components/ui/relative-time"
import { SkeletonRows } from "@/components/ui/skeleton"
import { formatNumber } from "@/lib/platform/format"
import { namedIn } from "@/lib/segments/rules"

// Most visitors do not change the filter: its builder is loaded on demand.
const EditFilter = dynamic(() => import("@/components/segments/edit-filter").then((module) => module.EditFilter), {
  loading: () => (
    <Card>
      <SkeletonRows rows={4} label="Loading the filter" />
    </Card>
  ),
})
const refreshMs = 10_000
const buildingRefreshMs = 1_000

export function SegmentDetail({ projectId, segmentId }: { projectId: string; segmentId: string }) {
  const read = useQuery({
    ...segmentQuery(projectId, segmentId),
    refetchInterval: ({ state }) => (state.data?.building ? buildingRefreshMs : refreshMs),
  })
  const known = useKnown(projectId)
  const list = { label: "Segments", href: `/projects/${projectId}/segments` }
  if (!read.data) return <PageNotLoaded of="Segment" lists={[list]} read={read} rows={8} />
  const segment = read.data
  const crumbs = [list, { label: segment.name }]

  return (
    <>
      <PageHeader
        crumbs={crumbs}
        title={segment.name}
        pill={segment.building ? <Pill tone="warn">Building</Pill> : null}
        meta={[
          <CopyText key="id" value={segment.id} name="segment id" inline />,
          <>
            Created <RelativeTime at={segment.createdAt} />
          </>,
        ]}
        actions={
          <>
            <RenameSegment projectId={projectId} segment={segment} />
            <WriteTo projectId={projectId} audienceId={segment.id}>
              Write to segment
            </WriteTo>
          </>
        }
      />
      {segment.building ? <Building building={segment.building} /> : null}
      <FilterCard
        projectId={projectId}
        segment={segment}
        sentence={segment.filter ? filterSentence(segment.filter, known) : undefined}
      />
      <Columns layout="end">
        <MembersCard projectId={projectId} segment={segment} />
        <div>
          <WhyCard projectId={projectId} about={{ segmentId: segment.id }} known={known} />
          <DeleteSegment projectId={projectId} segment={segment} />
        </div>
      </Columns>
    </>
  )
}

function Building({ building: { done, total } }: { building: NonNullable<Segment["building"]> }) {
  return (
    <Card aria-label="Progress">
      <CardBody>
        <ProgressBar label="Contacts evaluated" value={done} max={total} />
        <p className="mt-2 text-muted tabular-nums">
          {formatNumber(done)} of {formatNumber(total)} contacts evaluated. You can leave this page; until it is done,
          email to this segment waits.
        </p>
      </CardBody>
    </Card>
  )
}

function FilterCard({ projectId, segment, sentence }: { projectId: string; segment: Segment; sentence?: string }) {
  const may = useMay("contacts:write")
  const [editing, setEditing] = useState(false)
  if (editing) return <EditFilter projectId={projectId} segment={segment} done={() => setEditing(false)} />
  return (
    <Card aria-label="Filter">
      <CardHeader
        title={sentence ? "Filter" : "Manual"}
        description={sentence ?? "Members are added and removed manually, by an import or the API."}
        actions={
          may ? <Button onClick={() => setEditing(true)}>{sentence ? "Edit filter" : "Add a filter"}</Button> : null
        }
      />
    </Card>
  )
}

function DeleteSegment({ projectId, segment }: { projectId: string; segment: Segment }) {
  const remove = useCall("DELETE /v1/projects/{projectId}/segments/{segmentId}", [segmentsRoute])
  const all = useQuery(allSegmentsQuery(projectId)).data?.data ?? []
  const naming = all.filter(({ filter }) => filter && namedIn(filter).includes(segment.id))
  return (
    <May permission="contacts:write">
      <DeleteCard
        noun="segment"
        name={segment.name}
        description="Its contacts stay."
        remove={() => remove.mutateAsync({ params: { projectId, segmentId: segment.id } })}
        list={`/projects/${projectId}/segments`}
        afterwards="Its contacts are still there."
      >
        Its memberships are deleted, including manual additions and removals. Sends to its id are refused. Its contacts
        remain.
        {naming.length > 0
          ? ` The filter of ${naming[0]?.name}${naming.length > 1 ? ` and of ${naming.length - 1} more` : ""} names it, and matches nobody from then on until it is changed.`
          : null}
      </DeleteCard>
    </May>
  )
}

function RenameSegment({ projectId, segment }: { projectId: string; segment: Segment }) {
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
      <FormFooter action="Rename" saving={form.saving} />
    </Form>
  )
}
