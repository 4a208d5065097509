"use client"

import { FileUp } from "lucide-react"
import { useMemo, useState, type DragEvent } from "react"
import { formatNumber } from "@/lib/platform/format"
import { Button } from "@/components/ui/button"
import { DialogClose, DialogFooter } from "@/components/ui/dialog"
import { Field } from "@/components/ui/field"
import { Progress } from "@/components/ui/progress"
import { Textarea } from "@/components/ui/textarea"
import { rowsOf } from "@/components/suppressions/import-rows"
import { ImportReportView } from "@/components/suppressions/import-report"
import { useImport } from "@/components/suppressions/use-import"

const pastedMax = 200_000
const fileBytesMax = 100 * 2 ** 20

/** A file or pasted lines; first a dry run that shows what would happen, then the import. */
export default function ImportForm({ projectId }: { projectId: string }) {
  const [text, setText] = useState("")
  const [file, setFile] = useState<{ name: string; text: string }>()
  const [refused, setRefused] = useState<string>()
  const { run, running, report, fault, forget } = useImport(projectId)
  const rows = useMemo(() => rowsOf(file?.text ?? text), [file, text])

  async function take(files: FileList | null) {
    const chosen = files?.[0]
    if (!chosen) return
    setRefused(chosen.size > fileBytesMax ? "The file is larger than 100 MiB. Split it." : undefined)
    if (chosen.size > fileBytesMax) return
    setFile({ name: chosen.name, text: await chosen.text() })
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
        <div onDragOver={(event) => event.preventDefault()} onDrop={drop}>
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
              onChange={(event) => void take(event.target.files)}
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
        </div>
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
          <Button loading={Boolean(running) && !report} disabled={!rows.length} onClick={() => void run(rows, true)}>
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
      <Progress label="Rows read" value={done} max={total} />
      <p className="mt-1 text-sm text-muted tabular-nums">
        {formatNumber(done)} of {formatNumber(total)} rows
      </p>
    </div>
  )
}
