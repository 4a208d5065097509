"use client"

import { useId, type ReactNode, createContext, useContext, type AriaAttributes } from "react"
import { cn } from "@/components/ui/cn"

type FieldProps = {
  label: ReactNode
  hint?: ReactNode
  /** Shown in red below the control and read with it; give react-hook-form's `errors.name?.message`. */
  error?: ReactNode
  required?: boolean
  /** Says "optional" beside the label. */
  optional?: boolean
  /** Of the control: lets FormErrorSummary link to it. */
  id?: string
  hideLabel?: boolean
  /** The label stands left of the control where there is room. */
  beside?: boolean
  className?: string
  children: ReactNode
}

/** Wires label, hint and error to the one Input, Textarea or Select inside it. */
export function Field({
  label,
  hint,
  error,
  required,
  optional,
  id,
  hideLabel,
  beside,
  className,
  children,
}: FieldProps) {
  const made = useId()
  const control = id ?? made
  const hintId = hint ? `${control}-hint` : undefined
  const errorId = error ? `${control}-error` : undefined
  const describedBy = [errorId, hintId].filter(Boolean).join(" ") || undefined
  const state = { id: control, describedBy, invalid: Boolean(error), required: Boolean(required) }

  return (
    <FieldContext value={state}>
      <div
        className={cn(
          "mb-4 grid gap-1.5 last:mb-0",
          beside && "gap-x-3 sm:grid-cols-[64px_minmax(0,1fr)] sm:[&>p]:col-start-2",
          className,
        )}
      >
        <label
          htmlFor={control}
          className={cn(
            "justify-self-start text-sm font-medium",
            beside && "sm:pt-1.5 sm:font-normal sm:text-muted",
            hideLabel && "sr-only",
          )}
        >
          {label}
          {optional ? <span className="ml-1.5 font-normal text-faint">optional</span> : null}
        </label>
        {children}
        {error ? (
          <p id={errorId} className="text-sm text-bad">
            {error}
          </p>
        ) : null}
        {hint ? (
          <p id={hintId} className="text-sm text-muted">
            {hint}
          </p>
        ) : null}
      </div>
    </FieldContext>
  )
}

type FieldState = { id: string; describedBy?: string; invalid: boolean; required: boolean }

type Own = Pick<AriaAttributes, "aria-describedby" | "aria-invalid" | "aria-required"> & { id?: string }

const FieldContext = createContext<FieldState | null>(null)

/** What a control takes over from the Field around it; its own attributes win. */
export function useFieldControl(own: Own): Own {
  const field = useContext(FieldContext)
  return {
    id: own.id ?? field?.id,
    "aria-describedby": own["aria-describedby"] ?? field?.describedBy,
    "aria-invalid": own["aria-invalid"] ?? (field?.invalid || undefined),
    "aria-required": own["aria-required"] ?? (field?.required || undefined),
  }
}
