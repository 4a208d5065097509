import type { NewBroadcast } from "@/lib/broadcasts/schema"
import { declaredProperties } from "@/lib/contact-properties/data"
import { publishedFor } from "@/lib/emails/send/plan"
import {
  filledValues,
  type FilledTemplate,
  neededContactKeys,
  renderWithoutContact,
  shownContactKeys,
  valueFaults,
} from "@/lib/emails/templates/compose"
import type { PublishedTemplate } from "@/lib/emails/templates/data"
import { sourceFaults, templateFormats, type TemplateSource } from "@/lib/emails/templates/rules"
import type { TemplateRef } from "@/lib/emails/templates/schema"
import type { FieldProblem } from "@/lib/platform/http/problem"
import { fieldsInvalid } from "@/lib/platform/http/problems"
import type { Scope } from "@/lib/platform/http/scope"

/** The template that a broadcast was made from, as it was published then. */
type TemplateCopy = { id: string; name: string; version: number; variables: Record<string, string> }

/** Where subject and bodies come from: a template, or what was written for this broadcast with placeholders. */
export type BroadcastTemplate = (TemplateCopy | { id: null }) & {
  /** Where it shows fields of the contact, so that it is rendered for each recipient. */
  personal: FilledTemplate | null
}

/** Subject and bodies, as for a contact of whom nothing is known, and the template that they came from. */
type FromTemplate = Pick<NewBroadcast, "html" | "text"> & { subject: string; template: BroadcastTemplate }

/** What a broadcast shows that was written with placeholders. @throws requestInvalid with every fault of the placeholders */
export async function writtenFrom(scope: Scope, { subject, html, text }: TemplateSource): Promise<BroadcastTemplate> {
  const properties = await declaredProperties(scope.project.id)
  const filled: FilledTemplate = { source: sourceOf({ subject, html, text }), values: {} }
  const faults = sourceFaults(filled.source, null, (key) => properties.has(key))
  if (!faults.length) faults.push(...emptyFaults(filled))
  if (faults.length) throw fieldsInvalid(faults)
  return { id: null, personal: shownContactKeys(filled.source).length > 0 ? filled : null }
}

/** Why there is nothing to send to a contact of whom nothing is known. */
function emptyFaults({ source, values }: FilledTemplate): FieldProblem[] {
  const faults = templateFormats.flatMap((format) => {
    const alone = { subject: "-", [format]: source[format] }
    const composed = renderWithoutContact({ source: alone, values })
    return "faults" in composed ? composed.faults.map((detail) => ({ pointer: `/${format}`, detail })) : []
  })
  const whole = faults.length ? null : renderWithoutContact({ source, values })
  if (!whole || "faults" in whole || (whole.html ?? whole.text) !== undefined) return faults
  const detail = "A contact without these values would get an empty message. Give a placeholder a fallback."
  return [{ pointer: source.html === undefined ? "/text" : "/html", detail }]
}

/** Stored as JSON, which knows no undefined field. */
function sourceOf({ subject, html, text }: TemplateSource): TemplateSource {
  return { subject, ...(html !== undefined && { html }), ...(text !== undefined && { text }) }
}

/** @throws requestInvalid with every fault of the template and its values */
export async function contentFrom(scope: Scope, template: TemplateRef): Promise<FromTemplate> {
  const published = await publishedFor(scope, template)
  const faults: FieldProblem[] = valueFaults(published.variables, template.variables, "/template/variables")
  for (const key of await keysWithoutFallback(scope, published)) {
    const detail = `Not every contact has a value for {{contact.${key}}}. Give it a fallback in the template, as in {{contact.${key} | there}}, and publish it.`
    faults.push({ pointer: "/template", detail })
  }
  if (faults.length) throw fieldsInvalid(faults)
  const { id, name, version, variables } = published
  const filled = { source: sourceOf(published), values: filledValues(variables, template.variables) }
  const composed = renderWithoutContact(filled)
  if ("faults" in composed) throw fieldsInvalid(composed.faults.map((detail) => ({ pointer: "/template", detail })))
  if (composed.html === undefined && composed.text === undefined)
    throw fieldsInvalid([{ pointer: "/template", detail: "Neither html nor text has any content with these values." }])
  const personal = shownContactKeys(filled.source).length > 0 ? filled : null
  return { ...composed, template: { id, name, version, variables: template.variables, personal } }
}

/** What it shows of contacts that may lack it; every recipient has an address. */
async function keysWithoutFallback(scope: Scope, source: PublishedTemplate): Promise<string[]> {
  const declared = await declaredProperties(scope.project.id)
  return neededContactKeys(source).filter((key) => key !== "email" && (declared.get(key)?.fallback ?? null) === null)
}
