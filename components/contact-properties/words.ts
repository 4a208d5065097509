import { type PropertyType, propertyTypes } from "@/lib/contact-properties/rules"

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
