"use client"

import type { ComponentProps } from "react"
import { cn } from "@/components/ui/cn"
import { useFieldControl } from "@/components/ui/field-context"

export const controlStyle =
  "w-full min-w-0 rounded-md border border-line-field bg-panel px-2.5 text-base text-text transition-colors " +
  "hover:border-muted focus-visible:border-accent focus-visible:outline-offset-0 " +
  "disabled:cursor-not-allowed disabled:bg-sunken disabled:text-muted [&[readonly]]:bg-sunken " +
  "aria-invalid:border-bad aria-invalid:focus-visible:outline-bad"

type InputProps = ComponentProps<"input"> & { mono?: boolean }

export function Input({ className, mono, ...rest }: InputProps) {
  const wired = useFieldControl(rest)
  return <input className={cn(controlStyle, "h-8", mono && "mono", className)} {...rest} {...wired} />
}
