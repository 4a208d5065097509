import type { Fields } from "@/components/compose/fields"

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
export function fieldLabel(key: string): string {
  return contactFields.find((field) => field.key === key)?.label ?? key
}
