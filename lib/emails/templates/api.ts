import { buckets } from "@/lib/access/limits/data"
import { allow } from "@/lib/access/permissions"
import { projectMissing } from "@/lib/access/problems"
import { declaredProperties } from "@/lib/contact-properties/data"
import { missingBody, presentBody } from "@/lib/emails/message-rules"
import { createComposer, valueFaults } from "@/lib/emails/templates/compose"
import * as templates from "@/lib/emails/templates/data"
import { sourceFaults, templatesMax, type TemplateSource, type TemplateVariable } from "@/lib/emails/templates/rules"
import {
  NewTemplate,
  EmailTemplate,
  TemplateChange,
  templateMissing,
  TemplatePage,
  TemplatePreview,
  TemplatePreviewRequest,
  templateTaken,
  TemplateVersionPage,
} from "@/lib/emails/templates/schema"
import { endpoint } from "@/lib/platform/http/endpoint"
import { page, pageQuery } from "@/lib/platform/http/paging"
import { fieldsInvalid, requestInvalid } from "@/lib/platform/http/problems"
import type { Scope } from "@/lib/platform/http/scope"
import { decodeId } from "@/lib/platform/ids"
import { bodyBytesOf, refuseStorageFull } from "@/lib/projects/quota/data"
import { fixedLimitReached, limitReached, storageFull } from "@/lib/projects/schema"

/** Two bodies of 2 MiB in JSON, and the rest. */
const templateBytesMax = 12 * 2 ** 20

const path = { templateId: { prefix: "tpl", missing: templateMissing } } as const
const writing = { access: allow("emails:send"), bucket: buckets.emailSend, additive: true } as const
const reading = { access: allow("emails:read"), bucket: null, additive: true } as const

export const listTemplates = endpoint({
  route: "GET /v1/projects/{projectId}/templates",
  operationId: "listTemplates",
  tag: "Templates",
  summary: "List templates",
  description: "The templates of the project, newest first.",
  ...reading,
  query: pageQuery(),
  answers: [200, TemplatePage],
  problems: [projectMissing],

  async run(scope, { query }) {
    const { data, total } = await templates.readTemplates(scope, query)
    return page(query, data, total)
  },
})

export const createTemplate = endpoint({
  route: "POST /v1/projects/{projectId}/templates",
  operationId: "createTemplate",
  tag: "Templates",
  summary: "Create template",
  description: `\`{{name}}\` shows a variable, \`{{contact.firstName | there}}\` a field of the recipient's contact (\`email\`, \`firstName\`, \`lastName\`, \`phone\`) or one of its properties, with a fallback. There is no logic. In \`html\`, values are escaped, and a placeholder in a tag must be in a quoted attribute; a fallback in the source is taken as it is written. In a subject, line breaks in values become spaces. A name that is neither a variable nor known of contacts is refused.

The template can be used once it is published. A project has at most ${templatesMax} templates.`,
  ...writing,
  body: NewTemplate,
  bodyBytesMax: templateBytesMax,
  answers: [201, EmailTemplate],
  location: "/v1/projects/{projectId}/templates/{id}",
  problems: [requestInvalid, projectMissing, limitReached, storageFull, templateTaken],
  example: {
    body: {
      name: "welcome",
      subject: "Welcome, {{contact.firstName | there}}",
      html: '<p>Your plan: {{plan}}. <a href="{{link}}">Begin</a></p>',
      variables: [
        { name: "plan", type: "string", fallback: "free" },
        { name: "link", type: "url" },
      ],
    },
  },

  async run(scope, { body }) {
    await checkSource(scope, body, body.variables)
    await refuseStorageFull(scope, bodyBytesOf(body))
    const added = await templates.addTemplate(scope, body)
    if (added === "full") throw fixedLimitReached("templates", templatesMax)
    if (added === "taken") throw templateTaken()
    return added
  },
})

export const getTemplate = endpoint({
  route: "GET /v1/projects/{projectId}/templates/{templateId}",
  operationId: "getTemplate",
  tag: "Templates",
  summary: "Get template",
  description: "The template as it was last saved, which may differ from its published version.",
  ...reading,
  path,
  answers: [200, EmailTemplate],
  problems: [projectMissing, templateMissing],

  run: (scope, { path: { templateId } }) => existing(scope, templateId),
})

export const updateTemplate = endpoint({
  route: "PATCH /v1/projects/{projectId}/templates/{templateId}",
  operationId: "updateTemplate",
  tag: "Templates",
  summary: "Update template",
  description: "Omitted fields are unchanged. Sends use the change once it is published.",
  ...writing,
  path,
  body: TemplateChange,
  bodyBytesMax: templateBytesMax,
  answers: [200, EmailTemplate],
  problems: [requestInvalid, projectMissing, storageFull, templateMissing, templateTaken],
  example: { body: { subject: "Welcome to Acme, {{contact.firstName | there}}" } },

  async run(scope, { path: { templateId }, body }) {
    const stored = await existing(scope, templateId)
    const html = body.html === undefined ? undefined : (presentBody(body.html) ?? null)
    const text = body.text === undefined ? undefined : (presentBody(body.text) ?? null)
    const source = {
      subject: body.subject ?? stored.subject,
      html: html === undefined ? stored.html : (html ?? undefined),
      text: text === undefined ? stored.text : (text ?? undefined),
    }
    if (missingBody(source)) throw fieldsInvalid([{ pointer: "/text", detail: "Give html, text or both." }])
    await checkSource(scope, source, body.variables ?? stored.variables)
    await refuseStorageFull(scope, bodyBytesOf(source) - bodyBytesOf(stored))
    const { name, subject, variables } = body
    const given = Object.entries({ name, subject, variables, html, text }).filter(([, value]) => value !== undefined)
    const changed = await templates.changeTemplate(scope, templateId, Object.fromEntries(given))
    if (changed === "taken") throw templateTaken()
    if (!changed) throw templateMissing()
    return changed
  },
})

export const deleteTemplate = endpoint({
  route: "DELETE /v1/projects/{projectId}/templates/{templateId}",
  operationId: "deleteTemplate",
  tag: "Templates",
  summary: "Delete template",
  description: "Permanent, with all versions. Email that was accepted with it is sent.",
  ...writing,
  path,
  answers: [204],
  problems: [projectMissing, templateMissing],

  async run(scope, { path: { templateId } }) {
    if (!(await templates.removeTemplate(scope, templateId))) throw templateMissing()
  },
})

export const publishTemplate = endpoint({
  route: "POST /v1/projects/{projectId}/templates/{templateId}/publish",
  operationId: "publishTemplate",
  tag: "Templates",
  summary: "Publish template",
  description:
    "Keeps the template as its next version, which sends use from then on. The newest 100 versions are kept.",
  ...writing,
  path,
  answers: [200, EmailTemplate],
  problems: [projectMissing, storageFull, templateMissing],

  async run(scope, { path: { templateId } }) {
    await refuseStorageFull(scope, bodyBytesOf(await existing(scope, templateId)))
    const published = await templates.publish(scope, templateId)
    if (!published) throw templateMissing()
    return published
  },
})

export const listTemplateVersions = endpoint({
  route: "GET /v1/projects/{projectId}/templates/{templateId}/versions",
  operationId: "listTemplateVersions",
  tag: "Templates",
  summary: "List template versions",
  description: "The published versions, newest first.",
  ...reading,
  path,
  query: pageQuery(),
  answers: [200, TemplateVersionPage],
  problems: [projectMissing, templateMissing],

  async run(scope, { path: { templateId }, query }) {
    await existing(scope, templateId)
    const { data, total } = await templates.readVersions(scope, templateId, query)
    return page(query, data, total)
  },
})

export const previewTemplate = endpoint({
  route: "POST /v1/projects/{projectId}/templates/{templateId}/preview",
  operationId: "previewTemplate",
  tag: "Templates",
  summary: "Preview template",
  description:
    "Renders the template as it was last saved, or with `published` as sends use it, with these values and, with `contactId`, for that contact. Nothing is sent or stored. Lines that are added when it is sent, such as the link to unsubscribe, are not shown.",
  access: allow("emails:read"),
  bucket: buckets.emailSend,
  additive: true,
  path,
  body: TemplatePreviewRequest,
  answers: [200, TemplatePreview],
  problems: [requestInvalid, projectMissing, templateMissing],
  example: { body: { variables: { plan: "pro", link: "https://acme.example/begin" } } },

  async run(scope, { path: { templateId }, body }) {
    const template = body.published ? await published(scope, templateId) : await existing(scope, templateId)
    const faults = valueFaults(template.variables, body.variables, "/variables")
    const contactId = body.contactId === undefined ? null : decodeId("con", body.contactId)
    const contact = contactId ? await templates.valuesOfContact(scope, contactId) : null
    if (body.contactId !== undefined && !contact)
      faults.push({ pointer: "/contactId", detail: "Names no contact of this project." })
    if (faults.length) throw fieldsInvalid(faults)
    const composed = createComposer(template, template.variables, body.variables)(contact ?? new Map())
    if ("faults" in composed) throw fieldsInvalid(composed.faults.map((detail) => ({ pointer: "/contactId", detail })))
    return composed
  },
})

async function existing(scope: Scope, id: string): Promise<EmailTemplate> {
  const found = await templates.findTemplate(scope, id)
  if (!found) throw templateMissing()
  return found
}

async function published(scope: Scope, id: string): Promise<templates.PublishedTemplate> {
  const found = await templates.findPublished(scope, { id })
  if (!found) throw templateMissing()
  if (found !== "unpublished") return found
  throw fieldsInvalid([{ pointer: "/published", detail: "The template has not been published yet." }])
}

/** @throws requestInvalid with every fault of the source */
async function checkSource(scope: Scope, source: TemplateSource, variables: readonly TemplateVariable[]) {
  const properties = await declaredProperties(scope.project.id)
  const faults = sourceFaults(source, variables, (key) => properties.has(key))
  if (faults.length) throw fieldsInvalid(faults)
}

export const templateOperations = [
  ...([listTemplates, createTemplate, getTemplate, updateTemplate, deleteTemplate] as const),
  ...([publishTemplate, listTemplateVersions, previewTemplate] as const),
] as const
