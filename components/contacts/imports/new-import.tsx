"use client"

import { useQuery } from "@tanstack/react-query"
import { FileUp } from "lucide-react"
import { useRouter } from "next/navigation"
import { type DragEvent, useState } from "react"
import { encodingNames, fieldTargets, targetWords } from "@/components/contacts/imports/words"
import { problemOf } from "@/components/data/call"
import { upload } from "@/components/data/upload"
import { allSegmentsQuery, propertiesQuery } from "@/components/segments/queries"
import { Button } from "@/components/ui/button"
import { Callout } from "@/components/ui/callout"
import { Card, CardBody, CardFooter, CardHeader } from "@/components/ui/card"
import { cn } from "@/components/ui/cn"
import { dynamic } from "@/components/late-parts/dynamic"
import { Field } from "@/components/ui/field"
import { ProgressBar } from "@/components/ui/progress"
import { Select } from "@/components/ui/select"
import { type Column, DataTable } from "@/components/ui/table"
import {
  delimiterOf,
  guessTargets,
  headerName,
  isBlankRow,
  isSeparatorLine,
  judgedRows,
} from "@/lib/contacts/imports/column-rules"
import { createEncodingScan, encodingBytes, type FileEncoding } from "@/lib/contacts/imports/encoding-rules"
import type { ImportMode } from "@/lib/contacts/imports/rules"

const JoinNewSegment = dynamic(() =>
  import("@/components/contacts/imports/join-new-segment").then((module) => module.JoinNewSegment),
)

const fileBytesMax = 256 * 2 ** 20

/** Chosen instead of a segment, until the new one is there. */
const newSegment = "new"

type Chosen = { file: File; head: Head }

/** A file, what its columns are, what to do with its rows; then a dry run or the import itself. */
export function NewImport({ projectId }: { projectId: string }) {
  const router = useRouter()
  const properties = useQuery(propertiesQuery(projectId))
  const segments = useQuery(allSegmentsQuery(projectId))
  const [chosen, setChosen] = useState<Chosen>()
  const [targets, setTargets] = useState<(string | null)[]>([])
  const [mode, setMode] = useState<ImportMode>("upsert")
  const [segmentId, setSegmentId] = useState("")
  const [share, setShare] = useState<number>()
  const [fault, setFault] = useState<string>()
  const declared = new Map(
    (properties.data?.data ?? []).map(({ key, type }) => [key, { type: type as "string" | "number" }]),
  )

  async function take(file: File | undefined) {
    if (!file) return
    setFault(undefined)
    if (file.size > fileBytesMax) return setFault("The file is larger than 256 MiB. Split it.")
    const head = await readHead(file)
    if (!head.header.length) return setFault("The file is empty. Its first line must name the columns.")
    setChosen({ file, head })
    setTargets(guessTargets(head.header, declared, head.judged))
  }

  async function send(dryRun: boolean) {
    if (!chosen) return
    const { header } = chosen.head
    setFault(undefined)
    setShare(0)
    try {
      const { id } = await upload(
        "POST /v1/projects/{projectId}/contacts/import",
        {
          params: { projectId },
          query: {
            mode,
            dryRun: String(dryRun),
            mapping: JSON.stringify(targets),
            segmentId: segmentId || undefined,
            fileName: chosen.file.name,
          },
        },
        { body: new Blob([chosen.file], { type: "text/csv" }), onProgress: setShare },
      )
      router.push(`/projects/${projectId}/contacts/imports/${id}`)
    } catch (error) {
      setShare(undefined)
      const { detail, title, errors } = problemOf(error)
      setFault(errors?.map((one) => `${placeOf(one.pointer, header)}: ${one.detail}`).join(" ") || (detail ?? title))
    }
  }

  const addressed = targets.includes("email")
  const ready = addressed && segmentId !== newSegment
  return (
    <>
      <Card aria-label="File">
        <CardHeader
          title="File"
          description="CSV with column names in the first line; separated by commas, semicolons, tabs or bars; in UTF-8, UTF-16 or Latin-1."
        />
        <CardBody>
          <DropZone name={chosen?.file.name} onFile={(file) => void take(file)} />
          {fault && !chosen ? (
            <p role="alert" className="mt-3 text-sm text-bad">
              {fault}
            </p>
          ) : null}
        </CardBody>
      </Card>
      {chosen ? (
        <>
          <Card aria-label="Columns">
            <CardHeader
              title="Columns"
              description={`Choose the field for each column. Empty cells leave a contact's value unchanged.${readAs(chosen.head.encoding)}`}
            />
            <MappingTable
              head={chosen.head}
              targets={targets}
              properties={[...declared.keys()]}
              onChange={setTargets}
            />
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
                <JoinNewSegment
                  projectId={projectId}
                  name={chosen.file.name.replace(/\.[^.]*$/, "")}
                  onCreated={setSegmentId}
                />
              ) : null}
            </CardBody>
            <CardFooter>
              <div className="min-w-40 flex-1" aria-live="polite">
                {share === undefined ? null : <ProgressBar label="Upload" value={share} max={1} />}
                {addressed ? null : (
                  <span className="text-sm text-warn">Choose the column with the email addresses.</span>
                )}
              </div>
              <span className="flex flex-wrap gap-2">
                <Button disabled={!ready || share !== undefined} onClick={() => void send(true)}>
                  Try without writing
                </Button>
                <Button
                  variant="primary"
                  disabled={!ready}
                  loading={share !== undefined}
                  onClick={() => void send(false)}
                >
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
      ) : null}
    </>
  )
}

/** UTF-8 goes without saying. */
function readAs(encoding: FileEncoding): string {
  return encoding === "utf-8" ? "" : ` The file is read as ${encodingNames[encoding]}.`
}

/** The name of the column that a fault of the mapping is about. */
function placeOf(pointer: string, header: readonly string[]): string {
  const at = pointer.replace("query/mapping/", "")
  return header[Number(at)] || at
}

/** Takes the file to import, dropped or chosen. */
function DropZone({ name, onFile }: { name?: string; onFile: (file: File | undefined) => void }) {
  const [over, setOver] = useState(false)
  function drop(event: DragEvent) {
    event.preventDefault()
    setOver(false)
    onFile(event.dataTransfer.files[0])
  }
  return (
    <label
      onDragOver={(event) => (event.preventDefault(), setOver(true))}
      onDragLeave={() => setOver(false)}
      onDrop={drop}
      className={cn(
        "flex cursor-pointer items-center gap-3 rounded-lg border border-dashed border-line-strong px-4 py-5 hover:bg-sunken has-focus-visible:outline-2 has-focus-visible:outline-accent",
        over && "bg-sunken",
      )}
    >
      <FileUp aria-hidden="true" className="size-5 shrink-0 text-muted" />
      <span className="min-w-0">
        <span className="block truncate font-medium">{name ?? "Drop a CSV file here, or choose one"}</span>
        <span className="block text-muted">{name ? "Choose another" : "Up to 256 MiB, more than a million rows."}</span>
      </span>
      <input
        type="file"
        accept=".csv,.tsv,.txt,text/csv"
        className="sr-only"
        onChange={(event) => onFile(event.target.files?.[0])}
      />
    </label>
  )
}

type Props = {
  head: Head
  targets: (string | null)[]
  /** Keys of the properties that the project has. */
  properties: string[]
  onChange: (targets: (string | null)[]) => void
}

/** A row for each column of the file: its name, sample values and target. */
function MappingTable({ head, targets, properties, onChange }: Props) {
  const choices = [...fieldTargets, ...properties.map((key) => `properties.${key}`)]
  const choose = (at: number, target: string) =>
    onChange(targets.map((old, index) => (index === at ? target || null : old)))
  const columns: Column<number>[] = [
    {
      head: "Column",
      truncate: true,
      cellClassName: "align-middle font-medium",
      cell: (at) => head.header[at] || <span className="text-muted">Without a name</span>,
    },
    {
      head: "First rows",
      from: "sm",
      truncate: true,
      muted: true,
      cellClassName: "align-middle",
      cell: (at) => samples(head, at),
    },
    {
      head: "Goes to",
      width: "w-48 max-sm:w-40",
      cellClassName: "align-middle",
      cell: (at) => (
        <Select
          aria-label={`Goes to: ${nameOf(head.header, at)}`}
          value={targets[at] ?? ""}
          onChange={(event) => choose(at, event.target.value)}
        >
          <option value="">{targetWords(null)}</option>
          {choices.map((target) => (
            <option key={target} value={target} disabled={target !== targets[at] && targets.includes(target)}>
              {targetWords(target)}
            </option>
          ))}
        </Select>
      ),
    },
  ]
  return <DataTable label="Columns of the file" columns={columns} rows={[...head.header.keys()]} keyOf={String} />
}

/** Columns of the same name are distinguished by position. */
function nameOf(header: readonly string[], at: number): string {
  const name = header[at] ?? ""
  return header.indexOf(name) === header.lastIndexOf(name) ? name : `${name} (column ${at + 1})`
}

function samples({ rows }: Head, at: number): string {
  return rows
    .map((cells) => cells[at]?.trim())
    .filter(Boolean)
    .slice(0, 3)
    .join(", ")
}

type Head = { header: string[]; rows: string[][]; judged: string[][]; delimiter: string; encoding: FileEncoding }

const rowsShown = 5

/** The header and the first rows of a file, to show and, some more of them, to map; the file itself is read where it is imported. */
async function readHead(file: Blob): Promise<Head> {
  const bytes = new Uint8Array(await file.slice(0, encodingBytes).arrayBuffer())
  const scan = createEncodingScan()
  scan.add(bytes)
  const encoding = scan.encoding()
  const text = new TextDecoder(encoding).decode(bytes)
  const delimiter = delimiterOf(text)
  // The reader is loaded with the first file.
  const { parse } = await import("csv-parse/browser/esm/sync")
  const parsed: string[][] = parse(text, {
    bom: true,
    delimiter,
    relax_column_count: true,
    relax_quotes: true,
    skip_empty_lines: true,
    skip_records_with_error: true,
    record_delimiter: ["\r\n", "\n", "\r"],
    to: judgedRows,
  })
  const filled = parsed.filter((cells) => !isBlankRow(cells))
  const [header = [], ...judged] = filled[0] && isSeparatorLine(filled[0], delimiter) ? filled.slice(1) : filled
  return { header: header.map(headerName), rows: judged.slice(0, rowsShown), judged, delimiter, encoding }
}
