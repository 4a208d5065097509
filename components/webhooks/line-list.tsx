"use client"

import { Plus, X } from "lucide-react"
import type { ReactNode } from "react"
import { Button } from "@/components/ui/button"
import { IconButton } from "@/components/ui/icon-button"

type LineListProps<Line> = {
  /** What one line is: "filter". */
  noun: string
  value: readonly Line[]
  onChange: (value: Line[]) => void
  fresh: Line
  error?: string | undefined
  children: (line: Line, change: (line: Line) => void, index: number) => ReactNode
}

const linesMax = 20

/** Lines of fields that are added and removed one by one. */
export function LineList<Line>({ noun, value, onChange, fresh, error, children }: LineListProps<Line>) {
  const put = (index: number, line: Line) => onChange(value.map((one, at) => (at === index ? line : one)))
  return (
    <div className="grid gap-2">
      {value.map((line, index) => (
        <div key={index} role="group" aria-label={`${capital(noun)} ${index + 1}`} className="flex items-start gap-2">
          <div className="grid min-w-0 flex-1 gap-2 sm:flex">{children(line, (next) => put(index, next), index)}</div>
          <IconButton
            label={`Remove ${noun} ${index + 1}`}
            icon={<X />}
            onClick={() => onChange(value.filter((_, at) => at !== index))}
          />
        </div>
      ))}
      {error ? <p className="text-sm text-bad">{error}</p> : null}
      {value.length < linesMax ? (
        <div>
          <Button size="small" icon={<Plus />} onClick={() => onChange([...value, fresh])}>
            Add {noun}
          </Button>
        </div>
      ) : null}
    </div>
  )
}

function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1)
}
