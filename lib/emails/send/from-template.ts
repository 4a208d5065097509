import { type ContactValues, createComposer, shownContactKeys, valueFaults } from "@/lib/emails/templates/compose"
import { findPublished, type PublishedTemplate, valuesOfAddress } from "@/lib/emails/templates/data"
import type { TemplateRef } from "@/lib/emails/templates/schema"
import type { ComposedEmail, NewEmail } from "@/lib/emails/send/schema"
import type { FieldProblem } from "@/lib/platform/http/problem"
import { fieldsInvalid } from "@/lib/platform/http/problems"
import type { Scope } from "@/lib/platform/http/scope"
import { decodeId } from "@/lib/platform/ids"

/** The email with the subject and bodies of its template. @throws requestInvalid with every fault of the template's values */
export async function composeEmail(scope: Scope, email: NewEmail): Promise<ComposedEmail> {
  const { template, ...rest } = email
  // The schema demands a subject of every email without a template.
  if (template === undefined) return email as ComposedEmail
  const source = await publishedFor(scope, template)
  const faults: FieldProblem[] = valueFaults(source.variables, template.variables, "/template/variables")
  const [to, second] = [...email.to, ...(email.cc ?? []), ...(email.bcc ?? [])]
  let contact: ContactValues = new Map()
  if (shownContactKeys(source).length > 0) {
    if (!to || second || "audience" in to) {
      const detail = "The template shows fields of the contact, so it goes to one address at a time. Use a batch."
      faults.push({ pointer: "/to", detail })
    } else {
      contact = await valuesOfAddress(scope, to.canonical)
    }
  }
  if (faults.length) throw fieldsInvalid(faults)
  const composed = createComposer(source, source.variables, template.variables)(contact)
  if ("faults" in composed) throw fieldsInvalid(composed.faults.map((detail) => ({ pointer: "/template", detail })))
  if (composed.html === undefined && composed.text === undefined)
    throw fieldsInvalid([{ pointer: "/template", detail: "Neither html nor text has any content with these values." }])
  return { ...rest, ...composed }
}

/** The published version that sends use. @throws requestInvalid where there is none */
export async function publishedFor(scope: Scope, { id, name }: TemplateRef): Promise<PublishedTemplate> {
  const pointer = id === undefined ? "/template/name" : "/template/id"
  const decoded = id === undefined ? null : decodeId("tpl", id)
  const where = decoded === null ? (name === undefined ? null : { name }) : { id: decoded }
  const found = where && (await findPublished(scope, where))
  if (!found) throw fieldsInvalid([{ pointer, detail: "Names no template of this project." }])
  if (found === "unpublished") throw fieldsInvalid([{ pointer, detail: "The template has not been published yet." }])
  return found
}
