"use client"

import { useQuery, useQueryClient } from "@tanstack/react-query"
import { FileUp } from "lucide-react"
import { type DragEvent, useState } from "react"
import { ImportSetup } from "@/components/contacts/imports/import-setup"
import { firstTargets, type Head } from "@/components/contacts/imports/mapping"
import {
  latestImportsQuery,
  importQuery,
  importRoute,
  importsRoute,
  sampleQuery,
} from "@/components/contacts/imports/queries"
import { encodingNames } from "@/components/contacts/imports/words"
import { upload } from "@/components/data/upload"
import { propertiesQuery } from "@/components/segments/queries"
import { Card, CardBody, CardHeader } from "@/components/ui/card"
import { cn } from "@/components/ui/cn"
import type { PropertyType } from "@/lib/contact-properties/rules"
import {
  type ColumnTarget,
  delimiterOf,
  headerName,
  isBlankRow,
  isSeparatorLine,
  judgedRows,
  type FileEncoding,
  createEncodingScan,
  encodingBytes,
} from "@/lib/contacts/imports/file-rules"
import { LoadError } from "@/components/data/load-error"
import { useCall } from "@/components/data/use-call"
import { SkeletonRows } from "@/components/ui/loading"
import { TextLink } from "@/components/ui/text"

const fileBytesMax = 256 * 2 ** 20

type Chosen = { file: File; head: Head; initial: { targets: ColumnTarget[]; note: string | null } }

/** A file, what its columns are and what to do with its rows. */
export function NewImport({ projectId }: { projectId: string }) {
  const client = useQueryClient()
  const properties = useQuery(propertiesQuery(projectId))
  const [chosen, setChosen] = useState<Chosen>()
  const [fault, setFault] = useState<string>()
  const declared = declaredOf(properties.data?.data ?? [])

  async function take(file: File | undefined) {
    if (!file) return
    setFault(undefined)
    if (file.size > fileBytesMax) return setFault("The file is larger than 256 MiB. Split it.")
    const read = await readHead(file).catch(() => null)
    // A folder can be dropped, and a file be gone or locked by now.
    if (!read) return setFault(`${file.name} could not be read. Choose it again.`)
    const { encoding, ...head } = read
    const [known, imports] = await Promise.all([
      // Without them the columns are guessed. Whoever is fast drops a file before the page has them.
      client.fetchQuery(propertiesQuery(projectId)).catch(() => ({ data: [] })),
      client.fetchQuery(latestImportsQuery(projectId)).catch(() => ({ data: [] })),
    ])
    if (!head.header.length) return setFault("The file is empty. Its first line must name the columns.")
    const { targets, isRemembered } = firstTargets(head, declaredOf(known.data), imports.data)
    const note = [isRemembered ? "Mapped as in the last import of these columns." : null, readAs(encoding)]
    setChosen({ file, head, initial: { targets, note: note.filter(Boolean).join(" ") } })
  }

  return (
    <>
      <Card aria-label="File">
        <CardHeader
          title="File"
          description="CSV with column names in the first line; separated by commas, semicolons, tabs or bars; in UTF-8, UTF-16 or Latin-1."
        />
        <CardBody>
          <DropZone name={chosen?.file.name} onFile={(file) => void take(file)} />
          {fault ? (
            <p role="alert" className="mt-3 text-sm text-bad">
              {fault}
            </p>
          ) : null}
        </CardBody>
      </Card>
      {chosen ? (
        <ImportSetup
          key={`${chosen.file.name} ${chosen.file.size} ${chosen.file.lastModified}`}
          projectId={projectId}
          head={chosen.head}
          declared={declared}
          initial={chosen.initial}
          segmentName={chosen.file.name.replace(/\.[^.]*$/, "")}
          start={async (options, onProgress) => {
            const { id } = await upload(
              "POST /v1/projects/{projectId}/contacts/import",
              { params: { projectId }, query: { ...options, fileName: chosen.file.name } },
              { body: new Blob([chosen.file], { type: "text/csv" }), onProgress },
            )
            return id
          }}
        />
      ) : null}
    </>
  )
}

function declaredOf(properties: readonly { key: string; type: string }[]) {
  return new Map(properties.map(({ key, type }) => [key, { type: type as PropertyType }]))
}

/** UTF-8 goes without saying. */
function readAs(encoding: FileEncoding): string | null {
  return encoding === "utf-8" ? null : `The file is read as ${encodingNames[encoding]}.`
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
        onChange={({ target }) => {
          onFile(target.files?.[0])
          target.value = ""
        }}
      />
    </label>
  )
}

/** The header and the first rows of a file; the file itself is read where it is imported. */
async function readHead(file: Blob): Promise<Head & { encoding: FileEncoding }> {
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
  const [header = [], ...rows] = filled[0] && isSeparatorLine(filled[0], delimiter) ? filled.slice(1) : filled
  return { header: header.map(headerName), rows, delimiter, encoding }
}

/** Maps the columns of a dry run's file again, which need not be uploaded again. */
export function MapAgain({ projectId, importId }: { projectId: string; importId: string }) {
  const properties = useQuery(propertiesQuery(projectId))
  const sample = useQuery(sampleQuery(projectId, importId))
  const before = useQuery(importQuery(projectId, importId))
  const run = useCall("POST /v1/projects/{projectId}/contact-imports/{importId}/run", [importRoute, importsRoute])
  const failed = [sample, before, properties].find(({ error }) => error)
  if (failed?.error)
    return (
      <Card aria-label="File">
        <LoadError error={failed.error} onRetry={() => void failed.refetch()} retrying={failed.isFetching} />
      </Card>
    )
  if (!sample.data || !before.data || !properties.data) return <SkeletonRows rows={6} label="Loading columns" />

  const one = before.data
  const fileName = one.fileName ?? "The file"
  return (
    <>
      <Card aria-label="File">
        <CardHeader
          title={fileName}
          description="It is still here from the dry run, so it need not be uploaded again."
          actions={<TextLink href={`/projects/${projectId}/contacts/imports/new`}>Choose another file</TextLink>}
        />
      </Card>
      <ImportSetup
        projectId={projectId}
        head={sample.data}
        declared={new Map(properties.data.data.map(({ key, type }) => [key, { type: type as PropertyType }]))}
        initial={{
          targets: one.columns.map(({ target }) => target as ColumnTarget),
          note: null,
          mode: one.mode,
          segmentId: one.segmentId,
        }}
        segmentName={fileName.replace(/\.[^.]*$/, "")}
        start={async (options) => (await run.mutateAsync({ params: { projectId, importId }, query: options })).id}
      />
    </>
  )
}
