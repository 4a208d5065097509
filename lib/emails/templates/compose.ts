import { bodyBytesMax, bodyFault, presentBody, subjectFault } from "@/lib/emails/message-rules"
import {
  namesOf,
  parseTemplate,
  renderTemplate,
  type TemplateFormat,
  type TemplatePart,
  contactKeyOf,
  templateFormats,
  type TemplateSource,
  type TemplateVariable,
  variableFault,
} from "@/lib/emails/templates/rules"
import { pointerTo } from "@/lib/platform/http/faults"

/** Values of a contact by field or property, fallbacks of properties included. */
export type ContactValues = ReadonlyMap<string, string>

type Fault = { pointer: string; detail: string }

/** Why these values do not fit the variables: unknown names, values of another type, and variables that lack a value. */
export function valueFaults(
  variables: readonly TemplateVariable[],
  values: Readonly<Record<string, string>>,
  pointer: string,
): Fault[] {
  const declared = new Map(variables.map((variable) => [variable.name, variable]))
  const unfit = Object.entries(values).flatMap(([name, value]) => {
    const variable = declared.get(name)
    const detail = variable ? variableFault(variable.type, value) : "The template has no such variable."
    return detail ? [{ pointer: pointerTo(pointer, name), detail }] : []
  })
  const missing = variables.filter(({ name, fallback }) => !Object.hasOwn(values, name) && fallback === undefined)
  return [
    ...unfit,
    ...missing.map(({ name }) => ({
      pointer: pointerTo(pointer, name),
      detail: "Missing: the template gives this variable no fallback.",
    })),
  ]
}

/** Fields and properties of the contact that a template shows: with any, each recipient gets a text of its own. */
export function shownContactKeys(source: TemplateSource): string[] {
  const names = parsedOf(source).flatMap(({ parts }) => namesOf(parts))
  return [...new Set(names.flatMap((name) => contactKeyOf(name) ?? []))]
}

/** Fields and properties of the contact that a template shows in a place without a fallback. */
export function neededContactKeys(source: TemplateSource): string[] {
  const open = parsedOf(source).flatMap(({ parts }) =>
    parts.flatMap((part) => (typeof part === "string" || part.fallback !== null ? [] : part.name)),
  )
  return [...new Set(open.flatMap((name) => contactKeyOf(name) ?? []))]
}

type Parsed = { format: TemplateFormat; parts: readonly TemplatePart[] }[]

/** A source that was checked when it was saved. */
function parsedOf(source: TemplateSource): Parsed {
  return templateFormats.flatMap((format) => {
    const found = source[format] === undefined ? null : parseTemplate(source[format], format)
    return found && "parts" in found ? [{ format, parts: found.parts }] : []
  })
}

type TemplateBodies = { html?: string; text?: string }

type RenderedTemplate = TemplateBodies & { subject: string }

type Composer = (contact: ContactValues) => RenderedTemplate | { faults: string[] }

/** Renders a template whose source and values were checked. What cannot be rendered for this contact is told instead. */
export function createComposer(
  source: TemplateSource,
  variables: readonly TemplateVariable[],
  values: Readonly<Record<string, string>>,
): Composer {
  return composerOf(parsedOf(source), filledValues(variables, values))
}

/** A template whose variables have their values: what is left to fill is the contact's. */
export type FilledTemplate = { source: TemplateSource; values: Readonly<Record<string, string>> }

/** The values given, and the fallbacks of the other variables. */
export function filledValues(
  variables: readonly TemplateVariable[],
  values: Readonly<Record<string, string>>,
): Record<string, string> {
  const fallbacks = variables.flatMap(({ name, fallback }) =>
    fallback === undefined ? [] : [[name, fallback] as const],
  )
  return { ...Object.fromEntries(fallbacks), ...values }
}

/** As for a contact of whom nothing is known: what it would show of them is left out where the template has no fallback. */
export function renderWithoutContact(filled: FilledTemplate): ReturnType<Composer> {
  return composerOf(parsedForContacts(filled), filled.values)(new Map())
}

type ContactComposer = {
  subject: (contact: ContactValues) => string
  bodies: (contact: ContactValues) => TemplateBodies
}

/**
 * Renders a filled template for contacts of any kind. What a contact lacks is left out where the template has no fallback, and where
 * there is nothing to send with a contact's values, the text is that for one of whom nothing is known. Subject and bodies are rendered
 * each when they are needed, the bodies as the email is sent.
 */
export function createContactComposer(filled: FilledTemplate): ContactComposer {
  const parsed = parsedForContacts(filled)
  const isSubject = ({ format }: Parsed[number]) => format === "subject"
  const forContact = (compose: Composer, holdsSomething: (composed: RenderedTemplate) => boolean) => {
    return (contact: ContactValues): RenderedTemplate => {
      const composed = compose(contact)
      if (!("faults" in composed) && holdsSomething(composed)) return composed
      const plain = compose(new Map())
      if ("faults" in plain) throw new Error(`A stored template cannot be rendered: ${plain.faults.join(" ")}`)
      return plain
    }
  }
  const subject = forContact(composerOf(parsed.filter(isSubject), filled.values), () => true)
  const bodies = forContact(
    composerOf(
      parsed.filter((one) => !isSubject(one)),
      filled.values,
    ),
    ({ html, text }) => (html ?? text) !== undefined,
  )
  return { subject: (contact) => subject(contact).subject, bodies }
}

function parsedForContacts({ source }: FilledTemplate): Parsed {
  return parsedOf(source).map(({ format, parts }) => ({
    format,
    parts: parts.map((part) => (typeof part === "string" ? part : { ...part, fallback: part.fallback ?? "" })),
  }))
}

function composerOf(parsed: Parsed, values: Readonly<Record<string, string>>): Composer {
  return (contact) => {
    const valueOf = (name: string) => {
      const key = contactKeyOf(name)
      if (key !== null) return contact.get(key) ?? null
      return Object.hasOwn(values, name) ? (values[name] ?? null) : null
    }
    const composed: RenderedTemplate = { subject: "" }
    const faults: string[] = []
    for (const { format, parts } of parsed) {
      const rendered = renderTemplate(parts, format, valueOf, bodyBytesMax)
      if ("missing" in rendered) {
        faults.push(...rendered.missing.map((name) => `{{${name}}} has neither a value nor a fallback.`))
      } else if ("tooLong" in rendered) faults.push(`The ${format} becomes longer than ${bodyBytesMax} characters.`)
      else {
        const fault = format === "subject" ? subjectFault(rendered.text) : bodyFault(rendered.text)
        if (fault) faults.push(fault)
        else if (format === "subject") composed.subject = rendered.text
        else Object.assign(composed, bodyOf(format, rendered.text))
      }
    }
    return faults.length ? { faults: [...new Set(faults)] } : composed
  }
}

function bodyOf(format: "html" | "text", rendered: string): Partial<RenderedTemplate> {
  const body = presentBody(rendered)
  return body === undefined ? {} : { [format]: body }
}
