"use client"

import { type ComponentProps, type ReactNode, useEffect, useRef, useState } from "react"
import { cn } from "@/components/ui/cn"

type TableProps = ComponentProps<"table"> & {
  /** Names the table, and the scrolling area around it, to screen readers. */
  label: string
  /** Tailwind's min-w-*: below it the table scrolls sideways inside its own frame. */
  minWidth?: string
}

export function Table({ label, minWidth = "min-w-160", className, ...rest }: TableProps) {
  return (
    <ScrollFrame label={label}>
      <table
        aria-label={label}
        className={cn("w-full table-fixed border-collapse [&_tbody_tr:last-child>td]:border-b-0", minWidth, className)}
        {...rest}
      />
    </ScrollFrame>
  )
}

type ThProps = ComponentProps<"th"> & { numeric?: boolean }

export function Th({ className, numeric, ...rest }: ThProps) {
  return (
    <th
      scope="col"
      className={cn(
        "border-b border-line px-4 py-2 text-left text-xs font-medium text-muted",
        numeric && "text-right",
        className,
      )}
      {...rest}
    />
  )
}

type TdProps = ComponentProps<"td"> & { numeric?: boolean; muted?: boolean; truncate?: boolean }

export function Td({ className, numeric, muted, truncate, ...rest }: TdProps) {
  return (
    <td
      className={cn(
        "border-b border-line px-4 py-2.5 align-top",
        numeric && "text-right tabular-nums",
        muted && "text-muted",
        truncate && "truncate",
        className,
      )}
      {...rest}
    />
  )
}

/** Scrolls sideways where its content is too wide, and only then is a stop of the Tab key. */
function ScrollFrame({ label, children }: { label: string; children: ReactNode }) {
  const frame = useRef<HTMLDivElement>(null)
  const [scrolls, setScrolls] = useState(false)
  useEffect(() => {
    const element = frame.current
    if (!element) return
    const measure = () => setScrolls(element.scrollWidth > element.clientWidth + 1)
    const observer = new ResizeObserver(measure)
    observer.observe(element)
    return () => observer.disconnect()
  }, [])

  return (
    <div
      ref={frame}
      role={scrolls ? "region" : undefined}
      aria-label={scrolls ? `${label}, scrolls sideways` : undefined}
      tabIndex={scrolls ? 0 : undefined}
      className="relative overflow-x-auto -outline-offset-2"
    >
      {children}
    </div>
  )
}
