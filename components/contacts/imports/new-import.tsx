"use client"

import { useQuery } from "@tanstack/react-query"
import { useRouter } from "next/navigation"
import { useState } from "react"
import { problemOf } from "@/components/data/problem"
import { upload } from "@/components/data/upload"
import { allSegmentsQuery, propertiesQuery } from "@/components/segments/queries"
import { Button } from "@/components/ui/button"
import { Callout } from "@/components/ui/callout"
import { Card, CardBody, CardFooter, CardHeader } from "@/components/ui/card"
import { dynamic } from "@/components/ui/dynamic"
import { Field } from "@/components/ui/field"
import { Progress } from "@/components/ui/progress"
import { Select } from "@/components/ui/select"
import { guessTargets } from "@/lib/contacts/imports/column-rules"
import type { ImportMode } from "@/lib/contacts/imports/rules"
import { DropZone } from "@/components/contacts/imports/drop-zone"
import { MappingTable } from "@/components/contacts/imports/mapping-table"
import { readHead, type Head } from "@/components/contacts/imports/read-head"
import { encodingNames } from "@/components/contacts/imports/words"
import type { FileEncoding } from "@/lib/contacts/imports/encoding-rules"

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
                {share === undefined ? null : <Progress label="Upload" value={share} max={1} />}
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
