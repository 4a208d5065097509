"use client"

import { useQueryClient } from "@tanstack/react-query"
import { FileUp } from "lucide-react"
import { useState, type DragEvent } from "react"
import { countText } from "@/lib/platform/format"
import { type CallAnswer, problemOf } from "@/components/data/call"
import { refetch } from "@/components/data/use-call"
import { upload } from "@/components/data/upload"
import { dmarcSummaryRoute, tlsSummaryRoute } from "@/components/domains/queries"
import { cn } from "@/components/ui/cn"
import { Pill, type Tone } from "@/components/ui/pill"
import { ProgressBar } from "@/components/ui/loading"

const filesMax = 100

const kinds = {
  dmarc: {
    label: "DMARC reports",
    route: "POST /v1/projects/{projectId}/domains/{domainId}/dmarc/reports",
    summary: dmarcSummaryRoute,
    accept: ".xml,.gz,.zip,.eml",
    types: "XML",
  },
  tls: {
    label: "TLS reports",
    route: "POST /v1/projects/{projectId}/domains/{domainId}/tls-reports",
    summary: tlsSummaryRoute,
    accept: ".json,.gz,.zip,.eml",
    types: "JSON",
  },
} as const

type Kind = keyof typeof kinds
type Uploaded = CallAnswer<(typeof kinds)[Kind]["route"]>
type ReportUploadProps = { projectId: string; domainId: string; kind: Kind }

const outcomes: Record<Uploaded["results"][number]["status"], { word: string; tone: Tone }> = {
  accepted: { word: "Added", tone: "good" },
  duplicate: { word: "Known", tone: "wait" },
  refused: { word: "Refused", tone: "bad" },
}

/** Many reports at once, dropped or chosen; each file gets its own result. */
export default function ReportUpload({ projectId, domainId, kind }: ReportUploadProps) {
  const { label, route, summary, accept, types } = kinds[kind]
  const client = useQueryClient()
  const [share, setShare] = useState<number>()
  const [uploaded, setUploaded] = useState<Uploaded>()
  const [fault, setFault] = useState<string>()
  const [over, setOver] = useState(false)

  async function send(files: File[]) {
    if (!files.length || share !== undefined) return
    setUploaded(undefined)
    setFault(files.length > filesMax ? `Choose at most ${filesMax} files at once.` : undefined)
    if (files.length > filesMax) return
    const body = new FormData()
    for (const file of files) body.append("files", file)
    setShare(0)
    try {
      setUploaded(await upload(route, { params: { projectId, domainId } }, { body, onProgress: setShare }))
      await refetch(client, [summary])
    } catch (error) {
      const { errors, detail, title } = problemOf(error)
      setFault(errors?.[0]?.detail ?? detail ?? title)
    } finally {
      setShare(undefined)
    }
  }

  function drop(event: DragEvent) {
    event.preventDefault()
    setOver(false)
    void send([...event.dataTransfer.files])
  }

  return (
    <div className="border-t border-line p-4">
      <label
        className={cn(
          "flex cursor-pointer items-center gap-3 rounded-lg border border-dashed border-line-strong px-4 py-3 hover:bg-sunken has-focus-visible:outline-2 has-focus-visible:outline-accent",
          over && "bg-sunken",
        )}
        onDragOver={(event) => (event.preventDefault(), setOver(true))}
        onDragLeave={() => setOver(false)}
        onDrop={drop}
      >
        <FileUp aria-hidden="true" className="size-5 shrink-0 text-muted" />
        <span className="min-w-0">
          <span className="block font-medium">Drop reports here, or choose files</span>
          <span className="block text-muted">
            {types}, gzip, ZIP, or the emails that carried them. Up to {filesMax}.
          </span>
        </span>
        <input
          type="file"
          multiple
          accept={accept}
          aria-label={label}
          className="sr-only"
          onChange={({ target }) => {
            void send([...(target.files ?? [])])
            target.value = ""
          }}
        />
      </label>
      <div aria-live="polite">
        {share === undefined ? null : (
          <div className="mt-3">
            <ProgressBar label="Upload" value={share} max={1} />
          </div>
        )}
        {fault ? (
          <p role="alert" className="mt-3 text-bad">
            {fault}
          </p>
        ) : null}
        {uploaded ? <Results uploaded={uploaded} /> : null}
      </div>
    </div>
  )
}

function Results({ uploaded: { accepted, duplicates, refused, results } }: { uploaded: Uploaded }) {
  return (
    <>
      <p className="mt-3 font-medium">
        {accepted} added, {duplicates} known already, {refused} refused
      </p>
      <ul
        aria-label="Results"
        className="mt-2 max-h-72 divide-y divide-line overflow-y-auto rounded-md border border-line"
      >
        {results.map(({ file, status, reason, reporter, ...counts }, index) => (
          <li key={index} className="flex flex-wrap items-baseline gap-x-3 gap-y-1 px-3 py-2">
            <Pill tone={outcomes[status].tone}>{outcomes[status].word}</Pill>
            <span className="min-w-0 flex-1 basis-40 [overflow-wrap:anywhere]">{file || "Unnamed file"}</span>
            <span className="min-w-0 basis-full text-muted sm:basis-auto">
              {reason ?? `${reporter}, ${countWords(counts)}`}
            </span>
          </li>
        ))}
      </ul>
    </>
  )
}

function countWords(
  counts: { messages?: number | undefined } | { succeeded?: number | undefined; failed?: number | undefined },
): string {
  if ("messages" in counts) return countText(counts.messages ?? 0, "message")
  const { succeeded = 0, failed = 0 } = counts as { succeeded?: number; failed?: number }
  return countText(succeeded + failed, "session")
}
