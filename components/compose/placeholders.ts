import type { Fields } from "@/components/compose/fields"
import type { CallAnswer } from "@/components/data/call"
import { formatNumber } from "@/lib/platform/format"

type ContactField = { key: string; label: string; fallback: string }

/** What every contact has a field for, with what is written in its place where that is empty. */
export const contactFields: readonly ContactField[] = [
  { key: "firstName", label: "First name", fallback: "there" },
  { key: "lastName", label: "Last name", fallback: "" },
  { key: "email", label: "Email", fallback: "" },
  { key: "phone", label: "Phone", fallback: "" },
]

/** A placeholder, and the range of its fallback, which is what a person types next. */
export function placeholderOf(key: string, fallback: string): { text: string; from: number; to: number } {
  const head = `{{contact.${key}`
  if (!fallback) return { text: `${head}}}`, from: head.length + 2, to: head.length + 2 }
  const from = head.length + 3
  return { text: `${head} | ${fallback}}}`, from, to: from + fallback.length }
}

/** Whether what is written here has placeholders; a template has its own. */
export function hasPlaceholders({ template, subject, html, text }: Fields): boolean {
  return !template && [subject, html, text].some((source) => source.includes("{{"))
}

/** The words for a field or property. */
function fieldLabel(key: string): string {
  return contactFields.find((field) => field.key === key)?.label ?? key
}

type Preview = CallAnswer<"POST /v1/projects/{projectId}/broadcasts/preview">

export type LackingValues = Pick<Preview, "lacking" | "sendable" | "complete">

/** For how many people a placeholder shows nothing; null where everyone has a value or gets a fallback. */
export function lackingCheck({ lacking, sendable, complete }: LackingValues): { title: string; detail: string } | null {
  const [first] = lacking
  if (!first) return null
  const of = `${complete ? "" : "the first "}${formatNumber(sendable)} ${sendable === 1 ? "recipient" : "recipients"}`
  const counts = lacking.map(({ key, count }) => `${fieldLabel(key)}: ${formatNumber(count)} of ${of}`)
  const detail = `${counts.join(". ")}. They see nothing there; add a fallback, as in {{contact.${first.key} | there}}.`
  return { title: "Recipients without a value", detail }
}
