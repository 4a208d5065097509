"use client"

import { useQueryClient } from "@tanstack/react-query"
import { FileUp } from "lucide-react"
import { type DragEvent, useEffect, useMemo, useRef, useState } from "react"
import { call, problemOf } from "@/components/data/call"
import { refetch } from "@/components/data/use-call"
import { suppressionsRoute } from "@/components/suppressions/queries"
import { Button } from "@/components/ui/button"
import { DialogClose, DialogFooter } from "@/components/ui/dialog"
import { Field } from "@/components/ui/field"
import { ProgressBar } from "@/components/ui/loading"
import { Textarea } from "@/components/ui/input"
import { type SuppressionReason, suppressionReasons } from "@/lib/consent/rules"
import { plainCell } from "@/lib/platform/csv-rules"
import { countText, formatNumber } from "@/lib/platform/format"

const pastedMax = 200_000
const fileBytesMax = 100 * 2 ** 20

/** A file or pasted lines; first a dry run that shows what would happen, then the import. */
export default function ImportForm({ projectId }: { projectId: string }) {
  const [text, setText] = useState("")
  const [file, setFile] = useState<{ name: string; text: string }>()
  const [refused, setRefused] = useState<string>()
  const { run, running, report, fault, forget } = useImport(projectId)
  const rows = useMemo(() => importRows(file?.text ?? text), [file, text])
  const importing = running?.dryRun === false

  async function take(files: FileList | null) {
    const chosen = files?.[0]
    // A file can be dropped where none can be chosen.
    if (!chosen || importing) return
    setRefused(chosen.size > fileBytesMax ? "The file is larger than 100 MiB. Split it." : undefined)
    if (chosen.size > fileBytesMax) return
    // A folder can be dropped, and a file be gone or locked by now.
    const text = await chosen.text().catch(() => null)
    if (text === null) return setRefused(`${chosen.name} could not be read. Choose it again.`)
    setFile({ name: chosen.name, text })
    forget()
  }
  function drop(event: DragEvent) {
    event.preventDefault()
    void take(event.dataTransfer.files)
  }

  const ended = report && !report.dryRun
  return (
    <div>
      {ended ? null : (
        <fieldset disabled={importing} className="min-w-0" onDragOver={(event) => event.preventDefault()} onDrop={drop}>
          <label className="mb-4 flex cursor-pointer items-center gap-3 rounded-lg border border-dashed border-line-strong px-4 py-3 hover:bg-sunken has-focus-visible:outline-2 has-focus-visible:outline-accent">
            <FileUp aria-hidden="true" className="size-5 shrink-0 text-muted" />
            <span className="min-w-0">
              <span className="block truncate font-medium">
                {file ? file.name : "Drop a CSV file here, or choose one"}
              </span>
              <span className="block text-muted">One address per line, or columns named email and reason.</span>
            </span>
            <input
              type="file"
              accept=".csv,.txt,text/csv,text/plain"
              className="sr-only"
              onChange={({ target }) => {
                void take(target.files)
                target.value = ""
              }}
            />
          </label>
          {file ? (
            <Button
              variant="link"
              onClick={() => {
                setFile(undefined)
                forget()
              }}
            >
              Paste addresses instead
            </Button>
          ) : (
            <Field label="Or paste addresses">
              <Textarea
                mono
                rows={6}
                value={text}
                maxLength={pastedMax}
                spellCheck={false}
                placeholder={"ada@example.com\ngrace@example.com,unsubscribe"}
                onChange={(event) => {
                  setText(event.target.value)
                  forget()
                }}
              />
            </Field>
          )}
        </fieldset>
      )}
      <div aria-live="polite">
        {running ? <Running {...running} /> : null}
        {(refused ?? fault) ? (
          <p role="alert" className="mt-3 text-sm text-bad">
            {refused ?? fault}
          </p>
        ) : null}
        {report && !running ? <ImportReportView report={report} /> : null}
      </div>
      <DialogFooter>
        {report?.dryRun ? (
          <Button
            variant="primary"
            loading={Boolean(running)}
            disabled={!report.imported}
            onClick={() => void run(rows, false)}
          >
            Add {formatNumber(report.imported)}
          </Button>
        ) : null}
        {ended ? null : (
          <Button
            loading={Boolean(running) && !report}
            disabled={!rows.length || importing}
            onClick={() => void run(rows, true)}
          >
            {rows.length ? `Try ${formatNumber(rows.length)} ${rows.length === 1 ? "row" : "rows"}` : "Try"}
          </Button>
        )}
        <DialogClose>
          <Button>{ended ? "Close" : "Cancel"}</Button>
        </DialogClose>
      </DialogFooter>
    </div>
  )
}

function Running({ done, total }: { done: number; total: number }) {
  return (
    <div className="mt-3">
      <ProgressBar label="Rows read" value={done} max={total} />
      <p className="mt-1 text-sm text-muted tabular-nums">
        {formatNumber(done)} of {countText(total, "row")}
      </p>
    </div>
  )
}

/** What an import did, or would do, and each bad row. */
function ImportReportView({ report }: { report: ImportReport }) {
  const { dryRun, imported, skipped, invalid, errors } = report
  const known = skipped - invalid
  return (
    <div className="mt-3">
      <p className="font-medium">
        {dryRun ? `${count(imported)} would be added.` : `${count(imported)} ${imported === 1 ? "was" : "were"} added.`}
      </p>
      <p className="text-muted">
        {formatNumber(known)} on the list already or repeated, {formatNumber(invalid)} invalid.
      </p>
      {errors.length ? (
        <div
          role="region"
          aria-label="Invalid rows"
          tabIndex={0}
          className="mt-2 max-h-48 overflow-y-auto rounded-md border border-line"
        >
          <ul className="text-sm">
            {errors.map(({ row, email, detail }) => (
              <li key={row} className="border-b border-line px-3 py-1.5 last:border-b-0">
                <span className="text-muted tabular-nums">Row {formatNumber(row)}</span>{" "}
                <code className="[overflow-wrap:anywhere]">{email || "(empty)"}</code>{" "}
                <span className="text-muted">{detail}</span>
              </li>
            ))}
          </ul>
        </div>
      ) : null}
      {errors.length < invalid ? <p className="mt-1 text-sm text-muted">The first {errors.length} of them.</p> : null}
    </div>
  )
}

function count(addresses: number): string {
  return `${formatNumber(addresses)} ${addresses === 1 ? "address" : "addresses"}`
}

/** Rows of one request: well below the 16 MiB that it may hold. */
const stepRows = 20_000
const errorsShown = 200

type ImportReport = {
  dryRun: boolean
  imported: number
  skipped: number
  invalid: number
  /** `row` counts from 1, over all requests. */
  errors: { row: number; email: string; detail: string }[]
}

type RowsSent = { done: number; total: number; dryRun: boolean }

/** Sends rows in requests one after the other and adds up what is answered. */
function useImport(projectId: string) {
  const client = useQueryClient()
  const [running, setRunning] = useState<RowsSent>()
  const [report, setReport] = useState<ImportReport>()
  const [fault, setFault] = useState<string>()
  const stop = useRef<AbortController>(undefined)
  useEffect(() => () => stop.current?.abort(), [])

  async function run(rows: ImportRow[], dryRun: boolean) {
    stop.current?.abort()
    stop.current = new AbortController()
    const { signal } = stop.current
    setFault(undefined)
    const sum: ImportReport = { dryRun, imported: 0, skipped: 0, invalid: 0, errors: [] }
    try {
      for (let at = 0; at < rows.length; at += stepRows) {
        setRunning({ done: at, total: rows.length, dryRun })
        const answer = await call(
          "POST /v1/projects/{projectId}/suppressions/import",
          { params: { projectId }, body: { suppressions: rows.slice(at, at + stepRows), dryRun } },
          signal,
        )
        signal.throwIfAborted()
        sum.imported += answer.imported
        sum.skipped += answer.skipped
        sum.invalid += answer.invalid ?? 0
        sum.errors.push(...(answer.errors ?? []).map((error) => ({ ...error, row: at + error.row + 1 })))
      }
      setReport({ ...sum, errors: sum.errors.slice(0, errorsShown) })
    } catch (error) {
      if (signal.aborted) return
      const { detail, title } = problemOf(error)
      setFault(
        `${detail ?? title}${dryRun || !sum.imported ? "" : ` ${sum.imported === 1 ? "1 address was" : `${formatNumber(sum.imported)} addresses were`} added; import the same file again to continue.`}`,
      )
    } finally {
      if (!signal.aborted) setRunning(undefined)
      if (!dryRun) await refetch(client, [suppressionsRoute])
    }
  }

  /** Other rows are to be imported: what is known of the last ones says nothing of these. */
  function forget() {
    stop.current?.abort()
    setRunning(undefined)
    setReport(undefined)
  }

  return { run, running, report, fault, forget }
}

type ImportRow = { email: string; reason?: SuppressionReason }

/**
 * Rows out of text: one address a line, or CSV with the address and at most a reason, by header where there is one
 * (`email`, `reason`), else in this order. Which rows are good is the API's to say.
 */
export function importRows(text: string): ImportRow[] {
  const lines = text.replace(/^\ufeff/, "").split(/\r\n|\n|\r/)
  const first = cellsOf(lines[0] ?? "").map((cell) => cell.toLowerCase())
  const headed = first.some((name) => emailHeads.includes(name))
  const emailAt = headed ? first.findIndex((name) => emailHeads.includes(name)) : 0
  const reasonAt = headed ? first.indexOf("reason") : 1
  return lines.slice(headed ? 1 : 0).flatMap((line) => {
    const cells = cellsOf(line)
    if (cells.every((cell) => cell === "")) return []
    const reason = suppressionReasons.find((name) => name === cells[reasonAt]?.toLowerCase())
    return [{ email: cells[emailAt] ?? "", ...(reason ? { reason } : {}) }]
  })
}

const emailHeads = ["email", "e-mail", "address", "email address", "recipient"]

/** Cells of one line, separated by commas, semicolons or tabs, which quotes protect (RFC 4180). */
function cellsOf(line: string): string[] {
  const cells = [""]
  let quoted = false
  for (let at = 0; at < line.length; at++) {
    const character = line[at] ?? ""
    if (character === '"' && quoted && line[at + 1] === '"') {
      cells.push(`${cells.pop()}"`)
      at++
    } else if (character === '"') quoted = !quoted
    else if (!quoted && /[,;\t]/.test(character)) cells.push("")
    else cells.push(`${cells.pop()}${character}`)
  }
  return cells.map((cell) => plainCell(cell.trim()))
}
