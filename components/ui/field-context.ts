"use client"

import { createContext, useContext, type AriaAttributes } from "react"

type FieldState = { id: string; describedBy?: string; invalid: boolean; required: boolean }

type Own = Pick<AriaAttributes, "aria-describedby" | "aria-invalid" | "aria-required"> & { id?: string }

export const FieldContext = createContext<FieldState | null>(null)

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
