import type { ReactNode } from "react"
import { CopyChip } from "@/components/ui/copy-button"
import { cn } from "@/components/ui/cn"

type CodeBlockProps = {
  /** What is copied, and shown unless children are given. */
  code: string
  /** What it is, for screen readers: "curl command". */
  name: string
  /** The same text with parts marked: `b` for emphasis, `em` for an error. */
  children?: ReactNode
  /** False scrolls sideways instead of breaking lines. */
  wrap?: boolean
  /** Without frame, for a card that holds nothing else. */
  bare?: boolean
  className?: string
}

export function CodeBlock({ code, name, children, wrap = true, bare, className }: CodeBlockProps) {
  return (
    <div className={cn("relative min-w-0 text-left", !bare && "rounded-md border border-line bg-sunken", className)}>
      <pre
        tabIndex={wrap ? undefined : 0}
        aria-label={wrap ? undefined : name}
        className={cn(
          "relative overflow-auto rounded-[inherit] py-3 pl-4 text-muted -outline-offset-2 [&_b]:font-medium [&_b]:text-text",
          "[&_em]:text-bad [&_em]:not-italic",
          // What scrolls sideways ends beside the icon, not below it.
          wrap ? "pr-12 [overflow-wrap:anywhere] whitespace-pre-wrap" : "mr-10 pr-2",
        )}
      >
        {children ?? code}
      </pre>
      <CopyChip value={code} name={name} className="absolute top-2 right-2" />
    </div>
  )
}

/** JSON with indentation; any other text as it is. */
export function pretty(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text), null, 2)
  } catch {
    return text
  }
}
