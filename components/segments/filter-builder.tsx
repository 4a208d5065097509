"use client"

import { useQuery, type UseQueryResult } from "@tanstack/react-query"
import Link from "next/link"
import { useMemo } from "react"
import { problemOf } from "@/components/data/call"
import {
  isComplete,
  conditionOn,
  engagementWords,
  fieldChoices,
  fieldOf,
  type Known,
  operatorChoices,
  withOperator,
} from "@/components/segments/conditions"
import { type SegmentPreview, segmentPreviewQuery, useKnown } from "@/components/segments/queries"
import { useSettled } from "@/components/ui/input"
import { newTab, WhyCard } from "@/components/segments/why-card"
import { Card, CardBody, CardHeader, Columns } from "@/components/ui/card"
import { cn } from "@/components/ui/cn"
import { Skeleton } from "@/components/ui/loading"
import { formatNumber } from "@/lib/platform/format"
import {
  type Group,
  type Condition,
  depthMax,
  engagementEvents,
  isGroup,
  type Node,
  quantifierAndNodes,
  type Quantifier,
  quantifiers,
} from "@/lib/segments/rules"
import { ListPlus, Plus, Trash2, X } from "lucide-react"
import { ConditionValue, Named } from "@/components/segments/condition-value"
import { Button, IconButton } from "@/components/ui/button"
import { Select } from "@/components/ui/select"

type FilterBuilderProps = {
  projectId: string
  /** The segment whose filter it is, once it is stored. */
  segmentId?: string
  filter: Group
  onChange: (filter: Group) => void
}

/** The filter beside a preview of its matches; errors of the API are shown at their conditions. */
export function FilterBuilder({ projectId, segmentId, filter, onChange }: FilterBuilderProps) {
  const known = useKnown(projectId, segmentId)
  const settled = useSettled(filter)
  const ready = isComplete(filter)
  const asked = isComplete(settled) ? { filter: settled } : null
  const preview = useQuery(segmentPreviewQuery(projectId, asked))
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

const left: Record<SegmentPreview["excluded"][number]["reason"], string> = {
  unsubscribed: "unsubscribed from everything",
  suppressed: "on the suppression list",
  no_opt_in: "without an opt-in to the topic",
}

type PreviewCardProps = { projectId: string; preview: UseQueryResult<SegmentPreview>; ready: boolean }

/** How many contacts match, some of them, and those that a send would exclude. */
function PreviewCard({ projectId, preview, ready }: PreviewCardProps) {
  const { data } = preview
  const faulty = preview.isError && !problemOf(preview.error).errors?.length
  return (
    <Card aria-label="Preview">
      <CardHeader title="Preview" description="Based on the current contacts." />
      <CardBody>
        <div aria-live="polite" aria-busy={preview.isFetching}>
          {!ready ? <p className="text-muted">Fill in every value to see the matching contacts.</p> : null}
          {faulty ? <p className="text-muted">{problemOf(preview.error).detail}</p> : null}
          {ready && !data && preview.isPending ? <Skeleton className="h-24" /> : null}
          {ready && data ? <Counted projectId={projectId} data={data} stale={preview.isPlaceholderData} /> : null}
        </div>
      </CardBody>
    </Card>
  )
}

function Counted({ projectId, data, stale }: { projectId: string; data: SegmentPreview; stale: boolean }) {
  const out = data.excluded.filter(({ count }) => count > 0)
  return (
    <div className={cn(stale && "opacity-60")} aria-busy={stale}>
      <p className="text-2xl font-semibold tracking-[-0.01em] tabular-nums">
        {data.exact ? formatNumber(data.count) : `about ${formatNumber(data.estimate)}`}
      </p>
      <p className="text-muted">
        {data.count === 1 && data.exact ? "contact" : "contacts"}
        {data.exact ? "" : `, among the newest ${formatNumber(data.scanned)}`}
      </p>
      {data.count > 0 ? (
        <p className="mt-3">
          A send would reach <b className="font-medium tabular-nums">{formatNumber(data.sendable)}</b>
          {data.exact ? "" : " of those counted"}.
        </p>
      ) : null}
      {out.length ? (
        <ul className="mt-1 text-muted">
          {out.map(({ reason, count, sample }) => (
            <li key={reason} title={sample.join(", ")}>
              <span className="tabular-nums">{formatNumber(count)}</span> {left[reason]}
            </li>
          ))}
        </ul>
      ) : null}
      {data.sample.length ? (
        <>
          <h3 className="mt-4 mb-1 text-xs font-medium text-muted">Sample</h3>
          <ul>
            {data.sample.map(({ contactId, email, firstName, lastName }) => (
              <li key={contactId} className="truncate py-0.5">
                <Link
                  href={`/projects/${projectId}/contacts/${contactId}`}
                  prefetch={false}
                  {...newTab}
                  className="mr-2 hover:underline"
                >
                  {email}
                </Link>
                <span className="text-muted">{[firstName, lastName].filter(Boolean).join(" ")}</span>
              </li>
            ))}
          </ul>
        </>
      ) : null}
    </div>
  )
}

type GroupFaults = ReadonlyMap<string, string>

type GroupEditorProps = {
  group: Group
  onChange: (group: Group) => void
  onRemove?: () => void
  known: Known
  /** Faults of the filter that the API reported, by JSON Pointer. */
  faults: GroupFaults
  pointer?: string
  depth?: number
}

const words: Record<Quantifier, string> = {
  all: "All of these match",
  any: "Any of these matches",
  none: "None of these matches",
}

/** One group with its conditions and groups; a change of any part reports the whole group. */
function GroupEditor({ group, onChange, onRemove, known, faults, pointer = "", depth = 1 }: GroupEditorProps) {
  const [quantifier, nodes] = quantifierAndNodes(group)
  const change = (next: Node[]) => onChange({ [quantifier]: next })
  const replace = (at: number, node: Node) => change(nodes.map((one, index) => (index === at ? node : one)))
  const remove = (at: number) => change(nodes.filter((_, index) => index !== at))
  const only = nodes.length === 1 && depth === 1

  return (
    <fieldset className={cn("min-w-0", depth > 1 && "rounded-md border border-line bg-sunken p-3")}>
      <legend className="sr-only">{depth === 1 ? "Filter" : "Group of conditions"}</legend>
      <div className="mb-2 flex items-center justify-between gap-2">
        <Select
          aria-label="How the conditions are combined"
          className="w-48"
          value={quantifier}
          options={quantifiers.map((value) => ({ value, label: words[value] }))}
          onChange={({ target }) => onChange({ [target.value]: nodes })}
        />
        {onRemove ? <IconButton label="Remove this group" icon={<Trash2 />} onClick={onRemove} /> : null}
      </div>
      <ul className="grid gap-2">
        {nodes.map((node, at) => (
          <li key={at}>
            <NodeEditor
              node={node}
              onChange={(next) => replace(at, next)}
              onRemove={only ? undefined : () => remove(at)}
              known={known}
              faults={faults}
              pointer={`${pointer}/${quantifier}/${at}`}
              depth={depth}
            />
          </li>
        ))}
      </ul>
      <div className="mt-2 flex flex-wrap gap-2">
        <Button size="small" icon={<Plus />} onClick={() => change([...nodes, conditionOn("email", known)])}>
          Condition
        </Button>
        {depth < depthMax ? (
          <Button
            size="small"
            variant="ghost"
            icon={<ListPlus />}
            onClick={() => change([...nodes, { any: [conditionOn("email", known)] }])}
          >
            Group
          </Button>
        ) : null}
      </div>
    </fieldset>
  )
}

type NodeEditorProps = Omit<GroupEditorProps, "group" | "onChange" | "pointer" | "depth"> & {
  node: Node
  onChange: (node: Node) => void
  pointer: string
  depth: number
}

function NodeEditor({ node, onChange, onRemove, known, faults, pointer, depth }: NodeEditorProps) {
  const fault = [...faults].find(([at]) => (isGroup(node) ? at === pointer : at.startsWith(pointer)))?.[1]
  return (
    <>
      {isGroup(node) ? (
        <GroupEditor
          group={node}
          onChange={onChange}
          onRemove={onRemove}
          known={known}
          faults={faults}
          pointer={pointer}
          depth={depth + 1}
        />
      ) : (
        <ConditionEditor
          condition={node}
          onChange={onChange}
          onRemove={onRemove}
          known={known}
          invalid={fault !== undefined}
        />
      )}
      {fault ? (
        <p role="alert" className="mt-1 text-sm text-bad">
          {fault}
        </p>
      ) : null}
    </>
  )
}

type ConditionEditorProps = {
  condition: Condition
  onChange: (condition: Condition) => void
  onRemove?: () => void
  known: Known
  invalid: boolean
}

/** One condition as a line: field, operator and value. */
function ConditionEditor({ condition, onChange, onRemove, known, invalid }: ConditionEditorProps) {
  const operators = operatorChoices(condition, known)
  return (
    <div className="flex items-start gap-2">
      <div className="grid min-w-0 flex-1 gap-2 sm:flex">
        <Select
          aria-label="Field"
          className="sm:w-44 sm:shrink-0"
          value={fieldOf(condition)}
          onChange={({ target }) => onChange(conditionOn(target.value, known))}
        >
          {fieldChoices(known).map(({ group, choices: fields }) => (
            <optgroup key={group} label={group}>
              {fields.map(({ value, label }) => (
                <option key={value} value={value}>
                  {label}
                </option>
              ))}
            </optgroup>
          ))}
          {isKnown(condition, known) ? null : (
            <option value={fieldOf(condition)}>{fieldOf(condition).replace("property:", "")} (deleted)</option>
          )}
        </Select>
        <Subject condition={condition} onChange={onChange} known={known} />
        {operators.length > 1 ? (
          <Select
            aria-label="Comparison"
            className="sm:w-44 sm:shrink-0"
            value={condition.operator}
            options={operators}
            onChange={({ target }) => onChange(withOperator(condition, target.value, known))}
          />
        ) : null}
        <ConditionValue condition={condition} known={known} onChange={onChange} invalid={invalid} />
      </div>
      {onRemove ? <IconButton label="Remove this condition" icon={<X />} onClick={onRemove} /> : null}
    </div>
  )
}

function isKnown(condition: Condition, { properties, topics, segments }: Known): boolean {
  if (condition.field === "property") return properties.some(({ key }) => key === condition.key)
  if (condition.field === "segment") return segments.length > 0
  return condition.field !== "topic" || topics.length > 0
}

type Part = { condition: Condition; onChange: (condition: Condition) => void }

/** What the field alone does not say: which topic, which event. */
function Subject({ condition, onChange, known }: Part & { known: Known }) {
  if (condition.field === "topic")
    return (
      <Named
        label="Topic"
        value={condition.topicId}
        among={known.topics}
        onChoice={(topicId) => onChange({ ...condition, topicId })}
      />
    )
  if (condition.field !== "engagement") return null
  return (
    <Select
      aria-label="What happened"
      value={condition.event}
      options={engagementEvents.map((value) => ({ value, label: engagementWords[value] }))}
      onChange={({ target }) =>
        onChange({ ...condition, event: engagementEvents.find((one) => one === target.value) ?? condition.event })
      }
    />
  )
}
