"use client"

import { useQuery } from "@tanstack/react-query"
import { useRouter } from "next/navigation"
import { useEffect, useRef, useState } from "react"
import { useCreateProperty } from "@/components/contact-properties/queries"
import {
  type Choice,
  type Head,
  isNew,
  propertyFor,
  readingsOf,
  unmappedColumns,
  type NewProperty,
  type Reading,
  valuesOf,
} from "@/components/contacts/imports/mapping"
import { problemOf } from "@/components/data/call"
import { dynamic } from "@/components/late-parts/dynamic"
import { allSegmentsQuery } from "@/components/segments/queries"
import { Button } from "@/components/ui/button"
import { Callout } from "@/components/ui/callout"
import { Card, CardBody, CardFooter, CardHeader } from "@/components/ui/card"
import { Field } from "@/components/ui/field"
import { ProgressBar } from "@/components/ui/loading"
import { Select } from "@/components/ui/select"
import { useGo, useStay } from "@/components/ui/leaving"
import type { ColumnTarget, PropertyTypes } from "@/lib/contacts/imports/file-rules"
import type { ImportMode } from "@/lib/contacts/imports/rules"
import { dateOrders, type DateOrder } from "@/lib/contacts/imports/value-rules"
import { fieldTargets, targetWords } from "@/components/contacts/imports/words"
import { typeWords } from "@/components/contact-properties/property-value"
import { Input } from "@/components/ui/input"
import { type Column, DataTable } from "@/components/ui/table"
import { toast } from "@/components/ui/toast"
import { propertyTypes } from "@/lib/contact-properties/rules"

const JoinNewSegment = dynamic(() =>
  import("@/components/contacts/imports/join-new-segment").then((module) => module.JoinNewSegment),
)

/** Chosen instead of a segment, until the new one is there. */
const newSegment = "new"

/** How the rows of a file are imported, as the API takes it. */
type ImportOptions = {
  mode: ImportMode
  dryRun: string
  mapping: string
  dates: DateOrder | undefined
  segmentId: string | undefined
}

type Props = {
  projectId: string
  head: Head
  declared: PropertyTypes
  /** What the mapping and the choices begin with. */
  initial: { targets: readonly ColumnTarget[]; note: string | null; mode?: ImportMode; segmentId?: string }
  /** What a new segment is called if nothing else is typed. */
  segmentName: string
  /** Starts the import; answers its id. */
  start: (options: ImportOptions, onProgress: (share: number) => void) => Promise<string>
}

/** Where the columns of a file go, what to do with its rows; then a dry run or the import itself. */
export function ImportSetup({ projectId, head, declared, initial, segmentName, start }: Props) {
  const router = useRouter()
  const go = useGo()
  const segments = useQuery(allSegmentsQuery(projectId))
  const create = useCreateProperty()
  const [begun] = useState<readonly Choice[]>(initial.targets)
  const [choices, setChoices] = useState(begun)
  const [mode, setMode] = useState<ImportMode>(initial.mode ?? "upsert")
  const [segmentId, setSegmentId] = useState(initial.segmentId ?? "")
  const [dates, setDates] = useState<DateOrder>("day_first")
  const [share, setShare] = useState<number>()
  const [fault, setFault] = useState<string>()
  const [started, setStarted] = useState(false)
  // Whether the page is still open when the file has been sent.
  const here = useRef(false)
  useEffect(() => {
    here.current = true
    return () => {
      here.current = false
    }
  }, [])
  useStay(!started && (choices !== begun || share !== undefined))

  const readings = readingsOf(head, choices, declared, dates)
  const openDate = readings.find((reading) => reading?.openDate)?.openDate
  const unmapped = unmappedColumns(head, choices)
  const addressed = choices.includes("email")
  const ready = addressed && segmentId !== newSegment

  function defineAll() {
    setChoices(
      unmapped.reduce<readonly Choice[]>(
        (all, at) => all.map((choice, index) => (index === at ? propertyFor(head, at, all, declared) : choice)),
        choices,
      ),
    )
  }

  /** The mapping, once the properties that are still to be defined are. */
  async function definedTargets(): Promise<ColumnTarget[]> {
    let all = choices
    for (const [at, choice] of choices.entries()) {
      if (!isNew(choice)) continue
      await create.mutateAsync({ params: { projectId }, body: { key: choice.key, type: choice.type } })
      all = all.map((one, index) => (index === at ? (`properties.${choice.key}` as const) : one))
      // What has been defined is not defined again if the next one fails.
      setChoices(all)
    }
    return all.flatMap((choice) => (isNew(choice) ? [] : [choice]))
  }

  async function send(dryRun: boolean) {
    setFault(undefined)
    setShare(0)
    try {
      const mapping = JSON.stringify(await definedTargets())
      const options = { mode, dryRun: String(dryRun), mapping, dates: openDate ? dates : undefined }
      const id = await start({ ...options, segmentId: segmentId || undefined }, setShare)
      setStarted(true)
      const page = `/projects/${projectId}/contacts/imports/${id}`
      if (here.current) return router.push(page)
      const text = dryRun ? "The dry run has started" : "The import has started"
      toast.success(text, { action: { label: "Open", onClick: () => go(page) } })
    } catch (error) {
      setShare(undefined)
      const { detail, title, errors } = problemOf(error)
      setFault(
        errors?.map((one) => `${placeOf(one.pointer, head.header)}: ${one.detail}`).join(" ") || (detail ?? title),
      )
    }
  }

  return (
    <>
      <Card aria-label="Columns">
        <CardHeader
          title="Columns"
          description={[
            initial.note,
            "Choose the field for each column. Empty cells leave a contact's value unchanged.",
          ]
            .filter(Boolean)
            .join(" ")}
          actions={
            unmapped.length ? (
              <Button onClick={defineAll}>
                {unmapped.length === 1
                  ? "New property for the other column"
                  : `New properties for the other ${unmapped.length} columns`}
              </Button>
            ) : null
          }
        />
        <MappingTable head={head} choices={choices} readings={readings} declared={declared} onChange={setChoices} />
      </Card>
      <Card aria-label="Rows">
        <CardHeader title="Rows" />
        <CardBody className="grid gap-4 sm:grid-cols-2">
          <Field label="Existing contacts" className="mb-0">
            <Select
              value={mode}
              onChange={(event) => setMode(event.target.value as ImportMode)}
              options={[
                { value: "upsert", label: "Update with values from the file" },
                { value: "skip", label: "Leave unchanged" },
              ]}
            />
          </Field>
          <Field label="Join segment" optional className="mb-0">
            <Select
              value={segmentId}
              onChange={(event) => setSegmentId(event.target.value)}
              options={[
                { value: "", label: "None" },
                { value: newSegment, label: "New segment …" },
                ...(segments.data?.data ?? []).map(({ id, name }) => ({ value: id, label: name })),
              ]}
            />
          </Field>
          {segmentId === newSegment ? (
            <JoinNewSegment projectId={projectId} name={segmentName} onCreated={setSegmentId} />
          ) : null}
          {openDate ? (
            <Field
              label={`Dates such as ${openDate}`}
              hint="If a later row can only be one of them, its column is read like that."
              className="mb-0"
            >
              <Select
                value={dates}
                onChange={(event) => setDates(event.target.value as DateOrder)}
                options={dateOrders.map((value) => ({ value, label: orderWords[value] }))}
              />
            </Field>
          ) : null}
        </CardBody>
        <CardFooter>
          <div className="min-w-40 flex-1" aria-live="polite">
            {share === undefined ? null : <ProgressBar label="Upload" value={share} max={1} />}
            {addressed ? null : <span className="text-sm text-warn">Choose the column with the email addresses.</span>}
          </div>
          <span className="flex flex-wrap gap-2">
            <Button disabled={!ready || share !== undefined} onClick={() => void send(true)}>
              Try without writing
            </Button>
            <Button variant="primary" disabled={!ready} loading={share !== undefined} onClick={() => void send(false)}>
              Import
            </Button>
          </span>
        </CardFooter>
      </Card>
      {fault ? (
        <Callout tone="bad" title="The import was not started">
          {fault}
        </Callout>
      ) : null}
    </>
  )
}

const orderWords: Record<DateOrder, string> = { day_first: "Day first", month_first: "Month first" }

/** The name of the column that a fault of the mapping is about. */
function placeOf(pointer: string, header: readonly string[]): string {
  const at = pointer.replace("query/mapping/", "")
  return header[Number(at)] || at.replace(/^\//, "")
}

/** Chosen instead of a target, for a property that the import defines. */
const newProperty = "new"

type MappingTableProps = {
  head: Head
  choices: readonly Choice[]
  readings: readonly (Reading | null)[]
  declared: PropertyTypes
  onChange: (choices: Choice[]) => void
}

/** A row for each column of the file: its name, sample values, where it goes, and how its values are read. */
function MappingTable({ head, choices, readings, declared, onChange }: MappingTableProps) {
  const targets = [...fieldTargets, ...[...declared.keys()].map((key) => `properties.${key}`)]
  const replace = (at: number, choice: Choice) => onChange(choices.map((old, index) => (index === at ? choice : old)))
  const choose = (at: number, value: string) =>
    replace(at, value === newProperty ? propertyFor(head, at, choices, declared) : ((value || null) as Choice))
  const columns: Column<number>[] = [
    {
      head: "Column",
      truncate: true,
      cellClassName: "font-medium",
      cell: (at) => head.header[at] || <span className="text-muted">Without a name</span>,
    },
    {
      head: "First rows",
      from: "sm",
      truncate: true,
      muted: true,
      cell: (at) => valuesOf(head, at).slice(0, 3).join(", "),
    },
    {
      head: "Goes to",
      width: "w-60 max-sm:w-48",
      cell: (at) => {
        const choice = choices[at] ?? null
        const name = nameOf(head.header, at)
        return (
          <div className="grid gap-1.5">
            <Select
              aria-label={`Goes to: ${name}`}
              value={isNew(choice) ? newProperty : (choice ?? "")}
              onChange={(event) => choose(at, event.target.value)}
            >
              <option value="">{targetWords(null)}</option>
              <option value={newProperty}>New property …</option>
              {targets.map((target) => (
                <option key={target} value={target} disabled={target !== choice && choices.includes(target as Choice)}>
                  {targetWords(target)}
                </option>
              ))}
            </Select>
            {isNew(choice) ? (
              <NewPropertyFields name={name} property={choice} onChange={(property) => replace(at, property)} />
            ) : null}
            <ReadingLine
              reading={readings[at] ?? null}
              fixedType={!isNew(choice) && !!choice?.startsWith("properties.")}
            />
          </div>
        )
      },
    },
  ]
  return <DataTable label="Columns of the file" columns={columns} rows={[...head.header.keys()]} keyOf={String} />
}

type NewPropertyFieldsProps = { name: string; property: NewProperty; onChange: (property: NewProperty) => void }

function NewPropertyFields({ name, property, onChange }: NewPropertyFieldsProps) {
  return (
    <div className="grid gap-1.5 sm:grid-cols-2">
      <Input
        mono
        aria-label={`Key of the new property: ${name}`}
        maxLength={50}
        autoComplete="off"
        autoCapitalize="none"
        spellCheck={false}
        value={property.key}
        onChange={({ target }) => onChange({ ...property, key: target.value.trim() })}
      />
      <Select
        aria-label={`Type of the new property: ${name}`}
        value={property.type}
        options={propertyTypes.map((type) => ({ value: type, label: typeWords[type] }))}
        onChange={({ target }) =>
          onChange({ ...property, type: propertyTypes.find((type) => type === target.value) ?? property.type })
        }
      />
    </div>
  )
}

type ReadingLineProps = {
  reading: Reading | null
  /** The type of a property that exists cannot be changed. */
  fixedType: boolean
}

/** What is read differently from how it is written, and what would not be read at all. */
function ReadingLine({ reading, fixedType }: ReadingLineProps) {
  if (!reading) return null
  const { example, rejected, values } = reading
  if (rejected > 0)
    return (
      <p className="text-sm text-warn">
        {rejected} of the first {values} {values === 1 ? "value does" : "values do"} not fit.
        {fixedType ? " For another type, choose “New property …”." : null}
      </p>
    )
  return example ? (
    <p className="truncate text-sm text-muted" title={`${example.from} is read as ${example.to}`}>
      {example.from} is read as {example.to}
    </p>
  ) : null
}

/** Columns of the same name are distinguished by position. */
function nameOf(header: readonly string[], at: number): string {
  const name = header[at] ?? ""
  return header.indexOf(name) === header.lastIndexOf(name) ? name : `${name} (column ${at + 1})`
}
