import { formatNumber } from "@/lib/platform/format"
import { contactFields, eachField } from "@/lib/contacts/rules"
import type { FileEncoding } from "@/lib/contacts/imports/file-rules"
import type { PillProps } from "@/components/ui/pill"
import type { ContactImport } from "@/components/contacts/imports/queries"

type ColumnFormat = NonNullable<ContactImport["columns"][number]["format"]>

type Words = { word: string; tone: NonNullable<PillProps["tone"]>; tip: string }

/** The state of an import as a word, its colour and what it means. */
export function importWords({ status, dryRun, failed, failure }: ContactImport): Words {
  if (status === "queued") return { word: "Waiting", tone: "wait", tip: "It starts as soon as a worker is free." }
  if (status === "running")
    return {
      word: dryRun ? "Checking" : "Importing",
      tone: "warn",
      tip: "You can leave this page; the import continues.",
    }
  if (status === "cancelled")
    return { word: "Cancelled", tone: "wait", tip: "No further rows are written. Rows written before stay." }
  if (status === "failed")
    return { word: "Failed", tone: "bad", tip: failure ?? "It ended before the end of the file." }
  if (dryRun) return { word: "Checked", tone: "good", tip: "A dry run: nothing was written." }
  return {
    word: "Done",
    tone: failed ? "warn" : "good",
    tip: failed
      ? `${formatNumber(failed)} ${failed === 1 ? "row was" : "rows were"} rejected; they are listed with their reasons.`
      : "Every row was imported.",
  }
}

export const encodingNames: Record<FileEncoding, string> = {
  "utf-8": "UTF-8",
  "utf-16le": "UTF-16",
  "utf-16be": "UTF-16",
  "windows-1252": "Windows-1252 (Latin-1)",
}

/** How a column is read that could be read in two ways. */
export function formatWords({ decimal, dates, assumed }: ColumnFormat): string {
  const word = decimal ? `decimal ${decimal}` : dates === "month_first" ? "month first" : "day first"
  return assumed ? `${word} (assumed)` : word
}

/** How a person speaks of a target of a column. */
export function targetWords(target: string | null): string {
  if (target === null) return "Not imported"
  return names[target] ?? target.replace(/^properties\./, "Property ")
}

const names: Record<string, string> = {
  email: "Email",
  ...eachField((field) => contactFields[field].label),
  unsubscribed: "Unsubscribed",
}

export const fieldTargets = Object.keys(names)
