import { contactFields, eachField } from "@/lib/contacts/field-rules"
import type { PillProps } from "@/components/ui/pill"
import type { ContactImport } from "@/components/contacts/imports/queries"

type Words = { word: string; tone: NonNullable<PillProps["tone"]>; tip: string }

/** The state of an import as a word, its colour and what it means. */
export function importWords({ status, dryRun, failed, failure }: ContactImport): Words {
  if (status === "queued") return { word: "Waiting", tone: "wait", tip: "It begins as soon as a worker is free." }
  if (status === "running")
    return {
      word: dryRun ? "Checking" : "Importing",
      tone: "warn",
      tip: "You can leave this page: it goes on by itself.",
    }
  if (status === "cancelled")
    return { word: "Cancelled", tone: "wait", tip: "No further row was written. Those that were, stay." }
  if (status === "failed")
    return { word: "Broken off", tone: "bad", tip: failure ?? "It ended before the end of the file." }
  if (dryRun) return { word: "Checked", tone: failed ? "warn" : "good", tip: "A dry run: nothing was written." }
  return {
    word: "Done",
    tone: failed ? "warn" : "good",
    tip: failed ? "Some rows were refused; they are listed with their reasons." : "Every row was taken.",
  }
}

/** How a person speaks of a target of a column. */
export function targetWords(target: string | null): string {
  if (target === null) return "Left out"
  return names[target] ?? target.replace(/^properties\./, "Property ")
}

const names: Record<string, string> = {
  email: "Email",
  ...eachField((field) => contactFields[field].label),
  unsubscribed: "Unsubscribed",
}

export const fieldTargets = Object.keys(names)
