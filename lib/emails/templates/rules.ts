import { valueFault } from "@/lib/contact-properties/rules"
import { parseUrl } from "@/lib/platform/url-rules"

export const variableTypes = ["string", "number", "url"] as const
type VariableType = (typeof variableTypes)[number]

/** A value that a send gives, or its fallback where it gives none. */
export type TemplateVariable = { name: string; type: VariableType; fallback?: string | undefined }

export type TemplateSource = { subject: string; html?: string | undefined; text?: string | undefined }

export const templateFormats = ["subject", "html", "text"] as const satisfies readonly TemplateFormat[]

/** Fields of every contact that templates can show, beside the project's contact properties. */
const shownContactFields = ["email", "firstName", "lastName", "phone"] as const

export const templatesMax = 500
export const variablesMax = 100
/** Versions that are kept of each template, the newest. */
export const versionsMax = 100

const contactPrefix = "contact."

/** The field or property of the contact that a name stands for; null for a variable. */
export function contactKeyOf(name: string): string | null {
  return name.startsWith(contactPrefix) ? name.slice(contactPrefix.length) : null
}

type SourceFault = { pointer: string; detail: string }

/**
 * What is invalid in a template: its syntax, and names that are neither variables nor known of contacts. `variables` is null for a
 * source that has none.
 */
export function sourceFaults(
  source: TemplateSource,
  variables: readonly TemplateVariable[] | null,
  hasProperty: (key: string) => boolean,
): SourceFault[] {
  const declared = new Set(variables?.map(({ name }) => name))
  const undeclared = variables
    ? "is not in `variables`. Declare it there."
    : "is no field of contacts. Write it as in {{contact.firstName | there}}."
  const isKnown = (name: string) => {
    const key = contactKeyOf(name)
    return key === null ? declared.has(name) : shownContactFields.some((field) => field === key) || hasProperty(key)
  }
  return templateFormats.flatMap((format) => {
    const parsed = parseTemplate(source[format] ?? "", format)
    const pointer = `/${format}`
    if ("fault" in parsed) return [{ pointer, detail: `At character ${parsed.fault.at + 1}: ${parsed.fault.sentence}` }]
    return namesOf(parsed.parts)
      .filter((name) => !isKnown(name))
      .map((name) => ({
        pointer,
        detail:
          contactKeyOf(name) === null
            ? `{{${name}}} ${undeclared}`
            : `{{${name}}} is neither a field of contacts (${shownContactFields.join(", ")}) nor a contact property of this project.`,
      }))
  })
}

/** Variables that a source names and does not declare; none where its syntax is invalid, which has a fault of its own. */
export function undeclaredNames(source: TemplateSource, variables: readonly { name: string }[]): string[] {
  const declared = new Set(variables.map(({ name }) => name))
  const names = templateFormats.flatMap((format) => {
    const parsed = parseTemplate(source[format] ?? "", format)
    return "parts" in parsed ? namesOf(parsed.parts) : []
  })
  return [...new Set(names)].filter((name) => contactKeyOf(name) === null && !declared.has(name))
}

/** Why this is no value of the type, as a sentence; null if it is one. */
export function variableFault(type: VariableType, value: string): string | null {
  if (type !== "url") return valueFault(type, value)
  if (value.length > 2_048 || /[\s\p{Cc}]/u.test(value) || !parseUrl(value)) return "Must be a URL."
  return /^(?:https?|mailto|tel):/i.test(value) ? null : "Must be an http, https, mailto or tel URL."
}

/**
 * The syntax of templates, in one place: `{{name}}` and `{{name | fallback}}`, without logic. A value is inserted as it is and never
 * read as template syntax. In HTML it is escaped; in a subject it holds no line breaks or control characters.
 */
export type TemplateFormat = "html" | "text" | "subject"

/** A placeholder has the position of its first brace, and the fallback as it is written in the source. */
export type TemplatePart = string | { name: string; fallback: string | null; at: number }

/** Placeholders of one text, and characters of one placeholder. */
const placeholdersMax = 1_000
const placeholderCharsMax = 1_000

type TemplateFault = { at: number; sentence: string }
type Parsed = { parts: TemplatePart[] } | { fault: TemplateFault }

/** Names of a variable, or `contact.` and a field or property of the contact. */
const placeholder = /^\s*((?:contact\.)?[A-Za-z0-9_]{1,50})\s*(?:\|([^{}]*))?$/

/** Splits a source into its text and placeholders. */
export function parseTemplate(source: string, format: TemplateFormat): Parsed {
  const parts: TemplatePart[] = []
  let from = 0
  let placeholders = 0
  const inside = format === "html" ? createTagScan() : null
  for (;;) {
    const at = source.indexOf("{{", from)
    const text = source.slice(from, at === -1 ? undefined : at)
    if (text) parts.push(text)
    if (at === -1) return { parts }
    const window = source.slice(at + 2, at + 2 + placeholderCharsMax)
    const length = window.indexOf("}}")
    const match = length === -1 ? null : placeholder.exec(window.slice(0, length))
    if (!match?.[1]) return fault(at, "Write a placeholder as {{name}} or {{name | fallback}}.")
    if (inside?.(text)) return fault(at, "Put a placeholder in the text of an element or in a quoted attribute.")
    if (++placeholders > placeholdersMax) return fault(at, `A template has at most ${placeholdersMax} placeholders.`)
    parts.push({ name: match[1], fallback: match[2]?.trim() ?? null, at })
    from = at + 2 + length + 2
  }
}

function fault(at: number, sentence: string): Parsed {
  return { fault: { at, sentence } }
}

/** Tells after each piece of HTML whether it ends in a tag, outside of quotes: there a value could add attributes. */
function createTagScan(): (text: string) => boolean {
  let state: "text" | "declaration" | "tag" | '"' | "'" = "text"
  return (text) => {
    for (let at = 0; at < text.length; at++) {
      const character = text.charAt(at)
      if (state === "text") {
        if (character !== "<") continue
        const next = text.charAt(at + 1)
        // A `<` at the end of a piece precedes a placeholder, which would be the name of the tag.
        if (next === "!" || next === "?") state = "declaration"
        else if (next === "" || /[A-Za-z/]/.test(next)) state = "tag"
      } else if (state === '"' || state === "'") {
        if (character === state) state = "tag"
      } else if (character === ">") state = "text"
      else if (state === "tag" && (character === '"' || character === "'")) state = character
    }
    return state === "tag"
  }
}

/** Names of all placeholders of a source, each once. */
export function namesOf(parts: readonly TemplatePart[]): string[] {
  return [...new Set(parts.flatMap((part) => (typeof part === "string" ? [] : [part.name])))]
}

/** Text, or the names that have neither a value nor a fallback; `tooLong` if it has more UTF-16 units than allowed. */
type Rendered = { text: string } | { missing: string[] } | { tooLong: true }

/** @param valueOf the value of a name; null for none, so that the fallback in the source is used */
export function renderTemplate(
  parts: readonly TemplatePart[],
  format: TemplateFormat,
  valueOf: (name: string) => string | null,
  charsMax: number,
): Rendered {
  const missing = new Set<string>()
  const out: string[] = []
  let chars = 0
  for (const part of parts) {
    const piece = typeof part === "string" ? part : pieceOf(part, format, valueOf)
    if (piece === null) missing.add((part as Exclude<TemplatePart, string>).name)
    else {
      chars += piece.length
      if (chars > charsMax) return { tooLong: true }
      out.push(piece)
    }
  }
  return missing.size ? { missing: [...missing] } : { text: out.join("") }
}

function pieceOf(
  { name, fallback }: Exclude<TemplatePart, string>,
  format: TemplateFormat,
  valueOf: (name: string) => string | null,
): string | null {
  const value = valueOf(name)
  // A fallback is part of the source, where its author has escaped what HTML needs escaped.
  return value === null ? fallback : escaped(value, format)
}

const entities: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;",
}

function escaped(value: string, format: TemplateFormat): string {
  if (format === "html") return value.replaceAll(/[&<>"']/g, (character) => entities[character] ?? "")
  return format === "subject" ? value.replaceAll(/[\p{Cc}\p{Cs}\u2028\u2029]+/gu, " ") : value
}
