import { z } from "zod"
import type { Api } from "@/lib/api/registry"
import {
  createTemplate,
  deleteTemplate,
  getTemplate,
  listTemplates,
  publishTemplate,
  updateTemplate,
} from "@/lib/emails/templates/api"
import { templateMissing } from "@/lib/emails/templates/schema"
import { call, like, given, refused } from "@/lib/faces/face"
import { ResendAnswer, everyItem, listed, listQuery } from "@/lib/faces/resend/list"
import { endpoint } from "@/lib/platform/http/endpoint"
import type { Scope } from "@/lib/platform/http/scope"
import type { Io } from "@/lib/platform/io"

const Variables = z
  .array(
    z.strictObject({
      key: z.string(),
      type: z.string().optional(),
      fallback_value: z.union([z.string(), z.number(), z.null()]).optional(),
    }),
  )
  .optional()
  .describe("`variables`.")

const placeholders = "Three braces, as in `{{{name}}}`, become two: values are always escaped."

export const ResendTemplate = z.strictObject({
  name: z.string().describe("`name`."),
  subject: z.string().optional().describe("`subject`; by default the name."),
  html: z.string().describe(`\`html\`. ${placeholders}`),
  text: z.string().optional().describe(`\`text\`. ${placeholders}`),
  variables: Variables,
  alias: refused("a template is found by its id or its name."),
  from: refused("each send names its sender."),
  reply_to: refused("each send names its address for replies."),
})

const TemplateChange = ResendTemplate.partial()

/** Its placeholders are written as ours. */
function sourceOf(text: string | undefined): string | undefined {
  return text?.replace(/\{\{\{([^{}]*)\}\}\}/g, "{{$1}}")
}

function fieldsOf({ name, subject, html, text, variables }: z.output<typeof TemplateChange>) {
  return given({
    ...{ name, subject: sourceOf(subject), html: sourceOf(html), text: sourceOf(text) },
    variables: variables?.map(({ key, type, fallback_value: value }) =>
      given({ name: key, type, fallback: value === null || value === undefined ? undefined : String(value) }),
    ),
  })
}

type Template = Api["GET /v1/projects/{projectId}/templates/{templateId}"]["answer"]

function headOf({ id, name, version, createdAt, updatedAt }: Template): ResendAnswer {
  const status = version > 0 ? "published" : "draft"
  const publishedAt = version > 0 ? updatedAt : null
  return { id, name, alias: null, status, published_at: publishedAt, created_at: createdAt, updated_at: updatedAt }
}

function shown(template: Template): ResendAnswer {
  const { subject, html = null, text = null, variables, createdAt, updatedAt } = template
  return {
    ...{ object: "template", ...headOf(template), subject, html, text, from: null, reply_to: null },
    has_unpublished_versions: template.isChanged,
    current_version_id: String(template.version),
    variables: variables.map(({ name: key, type, fallback = null }) => ({
      ...{ key, type, fallback_value: type === "number" && fallback !== null ? Number(fallback) : fallback },
      ...{ created_at: createdAt, updated_at: updatedAt },
    })),
  }
}

/** The id of a template that a path names by its id or its name. */
async function idOf(scope: Scope, named: string, io: Io): Promise<string> {
  if (named.startsWith("tpl_")) return named
  const all = await everyItem((page) => call(scope, listTemplates, { query: page }, io))
  const found = all.find(({ name }) => name === named)
  if (!found) throw templateMissing()
  return found.id
}

const answers = [200, ResendAnswer] as const

export const resendTemplates = [
  endpoint({
    ...like(createTemplate),
    route: "POST /resend/templates",
    operationId: "resendCreateTemplate",
    summary: "Create a template",
    body: ResendTemplate,
    answers,

    async run(scope, { body }, io) {
      const template = fieldsOf({ subject: body.name, ...body })
      const { id } = await call(scope, createTemplate, { body: template }, io)
      return { object: "template", id }
    },
  }),
  endpoint({
    ...like(listTemplates),
    route: "GET /resend/templates",
    operationId: "resendListTemplates",
    summary: "List templates",
    strictQuery: true,
    query: listQuery,
    answers,
    run: (scope, { query }, io) => listed(query, (page) => call(scope, listTemplates, { query: page }, io), headOf),
  }),
  endpoint({
    ...like(getTemplate, listTemplates),
    route: "GET /resend/templates/{template}",
    operationId: "resendGetTemplate",
    summary: "Get a template",
    answers,

    async run(scope, { path }, io) {
      const templateId = await idOf(scope, path.template, io)
      return shown(await call(scope, getTemplate, { path: { templateId } }, io))
    },
  }),
  endpoint({
    ...like(updateTemplate, listTemplates),
    route: "PATCH /resend/templates/{template}",
    operationId: "resendUpdateTemplate",
    summary: "Update a template",
    body: TemplateChange,
    answers,

    async run(scope, { path, body }, io) {
      const templateId = await idOf(scope, path.template, io)
      await call(scope, updateTemplate, { path: { templateId }, body: fieldsOf(body) }, io)
      return { object: "template", id: templateId }
    },
  }),
  endpoint({
    ...like(deleteTemplate, listTemplates),
    route: "DELETE /resend/templates/{template}",
    operationId: "resendDeleteTemplate",
    summary: "Delete a template",
    answers,

    async run(scope, { path }, io) {
      const templateId = await idOf(scope, path.template, io)
      await call(scope, deleteTemplate, { path: { templateId } }, io)
      return { object: "template", id: templateId, deleted: true }
    },
  }),
  endpoint({
    ...like(publishTemplate, listTemplates),
    route: "POST /resend/templates/{template}/publish",
    operationId: "resendPublishTemplate",
    summary: "Publish a template",
    answers,

    async run(scope, { path }, io) {
      const templateId = await idOf(scope, path.template, io)
      await call(scope, publishTemplate, { path: { templateId } }, io)
      return { object: "template", id: templateId }
    },
  }),
  endpoint({
    ...like(createTemplate, getTemplate, listTemplates),
    route: "POST /resend/templates/{template}/duplicate",
    operationId: "resendDuplicateTemplate",
    summary: "Duplicate a template",
    answers,

    async run(scope, { path }, io) {
      const templateId = await idOf(scope, path.template, io)
      const { name, subject, html, text, variables } = await call(scope, getTemplate, { path: { templateId } }, io)
      const copy = given({ name: `${name} (copy)`, subject, html, text, variables })
      const { id } = await call(scope, createTemplate, { body: copy }, io)
      return { object: "template", id }
    },
  }),
] as const
