import { type PropertyType, propertyTypes } from "@/lib/contact-properties/rules"
import type { ComponentProps } from "react"
import { Input } from "@/components/ui/input"
import { Select } from "@/components/ui/select"

export const typeWords: Record<PropertyType, string> = {
  string: "Text",
  number: "Number",
  boolean: "Yes or no",
  date: "Date",
}

/** How a person speaks of a type that the API has given. */
export function wordOf(type: string): string {
  return typeWords[propertyTypes.find((one) => one === type) ?? "string"]
}

/** A value as pages show it. */
export function shownValue(type: string, value: string): string {
  if (type !== "boolean") return value
  return value === "true" ? "Yes" : "No"
}

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
