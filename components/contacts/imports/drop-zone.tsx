"use client"

import { FileUp } from "lucide-react"
import { useState, type DragEvent } from "react"
import { cn } from "@/components/ui/cn"

/** Takes the file to import, dropped or chosen. */
export function DropZone({ name, onFile }: { name?: string; onFile: (file: File | undefined) => void }) {
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
