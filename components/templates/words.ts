import type { Template } from "@/components/templates/queries"
import type { Tone } from "@/components/ui/pill"

/** Whether sends use it, and as it is now. */
export function publishedState({ version, isChanged }: Pick<Template, "version" | "isChanged">) {
  const state = (word: string, tone: Tone, means: string) => ({ word, tone, means })
  if (version === 0) return state("Draft", "wait", "Not published yet. Emails cannot use it.")
  return isChanged
    ? state("Changed", "warn", `Emails use version ${version}. Publish the changes to use them.`)
    : state("Published", "good", `Emails use version ${version}, which is what you see.`)
}

const samples = { string: "Sample text", number: "42", url: "https://example.com/" } as const

/** A value to preview a variable with. */
export function sampleOf({ type = "string", fallback }: Template["variables"][number]): string {
  return fallback ?? samples[type]
}
