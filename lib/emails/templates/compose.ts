import { bodyBytesMax, bodyFault, presentBody, subjectFault } from "@/lib/emails/message-rules"
import { namesOf, parseTemplate, renderTemplate } from "@/lib/emails/templates/render"
import {
  contactKeyOf,
  templateFormats,
  type TemplateSource,
  type TemplateVariable,
  variableFault,
} from "@/lib/emails/templates/rules"

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
    return detail ? [{ pointer: `${pointer}/${name}`, detail }] : []
  })
  const missing = variables.filter(({ name, fallback }) => !Object.hasOwn(values, name) && fallback === undefined)
  return [
    ...unfit,
    ...missing.map(({ name }) => ({
      pointer: `${pointer}/${name}`,
      detail: "Missing: the template gives this variable no fallback.",
    })),
  ]
}

/** Whether a template shows anything of the contact, so that each recipient gets a text of its own. */
export function showsContact(source: TemplateSource): boolean {
  return templateFormats.some((format) => {
    const parsed = parseTemplate(source[format] ?? "", format)
    return "parts" in parsed && namesOf(parsed.parts).some((name) => contactKeyOf(name) !== null)
  })
}

type Composed = { subject: string; html?: string; text?: string }

/** Renders a template whose source and values were checked. What cannot be rendered for this contact is told instead. */
export function createComposer(
  source: TemplateSource,
  variables: readonly TemplateVariable[],
  values: Readonly<Record<string, string>>,
): (contact: ContactValues) => Composed | { faults: string[] } {
  const fallbacks = new Map(variables.map(({ name, fallback }) => [name, fallback ?? null]))
  const parsed = templateFormats.flatMap((format) => {
    const found = source[format] === undefined ? null : parseTemplate(source[format], format)
    return found && "parts" in found ? [{ format, parts: found.parts }] : []
  })
  return (contact) => {
    const valueOf = (name: string) => {
      const key = contactKeyOf(name)
      if (key !== null) return contact.get(key) ?? null
      return Object.hasOwn(values, name) ? (values[name] ?? null) : (fallbacks.get(name) ?? null)
    }
    const composed: Composed = { subject: "" }
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

function bodyOf(format: "html" | "text", rendered: string): Partial<Composed> {
  const body = presentBody(rendered)
  return body === undefined ? {} : { [format]: body }
}
