"use client"

import { useQuery, useInfiniteQuery } from "@tanstack/react-query"
import { PenLine, UserPlus } from "lucide-react"
import { useState, lazy } from "react"
import { May, useMay } from "@/components/access/powers"
import { DeleteCard } from "@/components/data/delete-card"
import { Form, FormRefusal } from "@/components/data/form"
import { FormFooter, AddDialog } from "@/components/data/add-dialog"
import { PageNotLoaded } from "@/components/data/page-not-loaded"
import { useCall } from "@/components/data/use-call"
import { usePageForm } from "@/components/late-parts/use-page-form"
import { filterSentence } from "@/components/segments/conditions"
import {
  allSegmentsQuery,
  type Segment,
  segmentQuery,
  segmentRoute,
  segmentsRoute,
  useKnown,
  membersRoute,
  type MemberPage,
} from "@/components/segments/queries"
import { WhyCard } from "@/components/segments/why-card"
import { WriteTo } from "@/components/segments/write-to"
import { Button } from "@/components/ui/button"
import { Card, CardBody, CardHeader, Columns } from "@/components/ui/card"
import { CopyText } from "@/components/ui/copy-button"
import { Dialog } from "@/components/ui/dialog"
import { dynamic } from "@/components/late-parts/dynamic"
import { Field } from "@/components/ui/field"
import { Input } from "@/components/ui/input"
import { PageHeader } from "@/components/ui/page-header"
import { Pill } from "@/components/ui/pill"
import { ProgressBar, SkeletonRows } from "@/components/ui/loading"
import { RelativeTime } from "@/components/ui/relative-time"
import { countText, formatNumber } from "@/lib/platform/format"
import { namedIn } from "@/lib/segments/rules"
import { call } from "@/components/data/call"
import { LoadError } from "@/components/data/load-error"
import { EmptyState } from "@/components/ui/empty-state"
import { EndlessFrame } from "@/components/ui/endless"
import { MemberRow, useMembership } from "@/components/segments/member-row"

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
          {formatNumber(done)} of {countText(total, "contact")} evaluated. You can leave this page; until it is done,
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

const loadSearch = () =>
  import("@/components/segments/member-lists").then((loaded) => ({ default: loaded.MemberSearch }))
const MemberSearch = lazy(loadSearch)

const pageSize = 100
const againMs = 2_000

// What only long lists need comes with them.
const MemberRows = dynamic(() => import("@/components/segments/member-lists").then((module) => module.MemberRows), {
  ssr: false,
  loading: () => <SkeletonRows rows={8} label="Loading members" />,
})

/** Members, newest contact first: read page by page as one scrolls, and only the rows in sight exist. */
function MembersCard({ projectId, segment }: { projectId: string; segment: Segment }) {
  const members = useInfiniteQuery({
    // Refetched once all members of a changed filter are computed.
    queryKey: [membersRoute, { params: { projectId, segmentId: segment.id } }, Boolean(segment.building)],
    queryFn: ({ pageParam, signal }): Promise<MemberPage> =>
      call(
        membersRoute,
        {
          params: { projectId, segmentId: segment.id },
          query: { size: pageSize, ...(pageParam ? { after: pageParam } : {}) },
        },
        signal,
      ),
    initialPageParam: "",
    getNextPageParam: ({ cursor }) => cursor.nextCursor ?? undefined,
    // Scrolling through thousands keeps the pages that were read; a manual change reads them again.
    refetchOnWindowFocus: false,
    // What was read while members were still being chosen may be whole and yet not all of them.
    refetchInterval: ({ state }) => (state.data && differs(state.data.pages, segment) ? againMs : false),
  })
  const rows = members.data?.pages.flatMap(({ data }) => data) ?? []

  return (
    <Card aria-label="Members">
      <CardHeader
        title="Members"
        description={countsOf(segment)}
        actions={<AddMember projectId={projectId} segment={segment} />}
      />
      {members.isPending ? <SkeletonRows rows={8} label="Loading members" /> : null}
      {members.isError && !members.data ? (
        <LoadError error={members.error} onRetry={() => void members.refetch()} retrying={members.isFetching} />
      ) : null}
      {members.data && !rows.length ? (
        <EmptyState title={segment.building ? "Members are being computed" : "No members"}>
          {segment.filter
            ? "No contact matches the filter. Contacts are added as soon as they match, or add one with “Add a contact”."
            : "Add contacts with “Add a contact” above, with an import or through the API."}
        </EmptyState>
      ) : null}
      {rows.length > 0 && rows.length < pageSize ? (
        <EndlessFrame label="Members, newest first">
          <ul>
            {rows.map((member) => (
              <li key={member.contactId}>
                <MemberRow projectId={projectId} segment={segment} member={member} />
              </li>
            ))}
          </ul>
        </EndlessFrame>
      ) : null}
      {rows.length >= pageSize ? (
        <MemberRows
          projectId={projectId}
          segment={segment}
          members={rows}
          rest={{
            more: members.hasNextPage,
            loading: members.isFetchingNextPage,
            failed: members.isFetchNextPageError,
            onMore: () => void members.fetchNextPage(),
          }}
        />
      ) : null}
    </Card>
  )
}

/** Whether a list that was read to its end is not as long as the segment says. */
function differs(pages: readonly MemberPage[], { contactCount }: Segment): boolean {
  if (pages.at(-1)?.cursor.nextCursor) return false
  return pages.reduce((sum, { data }) => sum + data.length, 0) !== contactCount
}

function countsOf({ contactCount, unsubscribedCount }: Segment): string {
  const contacts = `${formatNumber(contactCount)} ${contactCount === 1 ? "contact" : "contacts"}`
  return unsubscribedCount ? `${contacts}, ${formatNumber(unsubscribedCount)} unsubscribed.` : `${contacts}.`
}

/** Adds a contact manually; the notice offers to undo it. */
function AddMember({ projectId, segment }: { projectId: string; segment: Segment }) {
  const may = useMay("contacts:write")
  const { add, pending } = useMembership(projectId, segment)
  if (!may) return null
  return (
    <AddDialog
      action="Add a contact"
      button={{ icon: <UserPlus />, loading: pending }}
      title={`Add a contact to ${segment.name}`}
      description={
        segment.filter ? "A contact that you add stays in, even if it does not match the filter." : undefined
      }
      load={loadSearch}
    >
      {(close) => (
        <MemberSearch
          projectId={projectId}
          segmentId={segment.id}
          onPick={(person) => {
            close()
            add(person)
          }}
        />
      )}
    </AddDialog>
  )
}
