"use client"

import { ChevronDown } from "lucide-react"
import type { ComponentProps } from "react"
import { cn } from "@/components/ui/cn"
import { useFieldControl } from "@/components/ui/field"
import { controlStyle } from "@/components/ui/input"

type SelectProps = ComponentProps<"select"> & { options?: { value: string; label: string; disabled?: boolean }[] }

/** The browser's own select, so that phones and screen readers show theirs. Give options or children. */
export function Select({ options, children, className, ...rest }: SelectProps) {
  const wired = useFieldControl(rest)
  return (
    <span className={cn("relative inline-grid w-full", className)}>
      <select className={cn(controlStyle, "h-8 appearance-none truncate bg-panel pr-8")} {...rest} {...wired}>
        {options?.map((option) => (
          <option key={option.value} value={option.value} disabled={option.disabled}>
            {option.label}
          </option>
        ))}
        {children}
      </select>
      <ChevronDown aria-hidden="true" className="pointer-events-none absolute top-2 right-2.5 size-4 text-muted" />
    </span>
  )
}
