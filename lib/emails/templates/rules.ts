import { valueFault } from "@/lib/contact-properties/rules"
import { parseUrl } from "@/lib/platform/url-rules"
import { namesOf, parseTemplate, type TemplateFormat } from "@/lib/emails/templates/render"

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
