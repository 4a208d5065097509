import type { Template } from "@/components/templates/queries"

const samples = { string: "Sample text", number: "42", url: "https://example.com/" } as const

/** A value to preview a variable with. */
export function sampleOf({ type = "string", fallback }: Template["variables"][number]): string {
  return fallback ?? samples[type]
}
