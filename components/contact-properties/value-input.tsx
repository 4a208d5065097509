"use client"

import type { ComponentProps } from "react"
import { Input } from "@/components/ui/input"
import { Select } from "@/components/ui/select"

type ValueInputProps = Omit<ComponentProps<"input"> & ComponentProps<"select">, "type" | "ref"> & {
  /** Of the property. */
  type: string
  ref?: (element: HTMLInputElement | HTMLSelectElement | null) => void
  /** What an empty choice of yes and no is called. */
  none?: string
}

/** The field for a value of a contact property: empty for none. */
export function ValueInput({ type, none = "No value", placeholder, ...rest }: ValueInputProps) {
  if (type === "boolean")
    return (
      <Select
        options={[
          { value: "", label: placeholder ?? none },
          { value: "true", label: "Yes" },
          { value: "false", label: "No" },
        ]}
        {...rest}
      />
    )
  return (
    <Input
      type={type === "date" ? "date" : "text"}
      autoComplete="off"
      inputMode={type === "number" ? "decimal" : undefined}
      placeholder={placeholder}
      {...rest}
    />
  )
}
