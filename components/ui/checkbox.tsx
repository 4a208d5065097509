"use client"

import { useEffect, useRef, type ComponentProps, type ReactNode } from "react"
import { cn } from "@/components/ui/cn"

type CheckboxProps = Omit<ComponentProps<"input">, "type"> & {
  label: ReactNode
  hint?: ReactNode
  hideLabel?: boolean
  /** Some, but not all, of the items it represents are checked. */
  indeterminate?: boolean
}

export function Checkbox({ label, hint, hideLabel, indeterminate = false, className, ref, ...rest }: CheckboxProps) {
  const input = useRef<HTMLInputElement | null>(null)
  useEffect(() => {
    if (input.current) input.current.indeterminate = indeterminate
  }, [indeterminate])

  return (
    <label
      className={cn("inline-flex items-start gap-2 has-disabled:cursor-not-allowed has-disabled:opacity-60", className)}
    >
      <span className="relative mt-0.5 grid size-4 shrink-0 place-items-center before:absolute before:-inset-1">
        <input
          type="checkbox"
          ref={(element) => {
            input.current = element
            if (typeof ref === "function") return ref(element)
            if (ref) ref.current = element
          }}
          className="peer size-4 appearance-none rounded-sm border border-line-field bg-panel checked:border-accent checked:bg-accent
            indeterminate:border-accent indeterminate:bg-accent aria-invalid:border-bad"
          {...rest}
        />
        <svg
          aria-hidden="true"
          viewBox="0 0 16 16"
          fill="none"
          stroke="currentColor"
          strokeWidth="2"
          strokeLinecap="round"
          strokeLinejoin="round"
          className="pointer-events-none absolute size-4 text-on-accent opacity-0 peer-checked:opacity-100
            peer-indeterminate:opacity-100 peer-indeterminate:[&_.tick]:hidden peer-checked:not-peer-indeterminate:[&_.dash]:hidden"
        >
          <path className="tick" d="m4.5 8.2 2.4 2.4 4.8-5" />
          <path className="dash" d="M5 8h6" />
        </svg>
      </span>
      <span className={cn(hideLabel && "sr-only")}>
        {label}
        {hint ? <span className="block text-sm text-muted">{hint}</span> : null}
      </span>
    </label>
  )
}
