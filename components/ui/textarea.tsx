"use client"

import type { ComponentProps } from "react"
import { cn } from "@/components/ui/cn"
import { useFieldControl } from "@/components/ui/field-context"
import { controlStyle } from "@/components/ui/input"

type TextareaProps = ComponentProps<"textarea"> & { mono?: boolean }

export function Textarea({ className, mono, rows = 4, ...rest }: TextareaProps) {
  const wired = useFieldControl(rest)
  return (
    <textarea
      rows={rows}
      className={cn(controlStyle, "min-h-16 resize-y py-1.5", mono && "mono", className)}
      {...rest}
      {...wired}
    />
  )
}
