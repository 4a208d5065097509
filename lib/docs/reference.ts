import { apiDocument } from "@/lib/api/openapi"
import { headingSlugOf, type Inline, parseInline, type Sample } from "@/lib/docs/markdown"
import { type Field, listedFields, parameterField } from "@/lib/docs/reference-fields"
import type { Reader } from "@/lib/docs/reader-rules"
import type { Json } from "@/lib/platform/http/json-schema"
import { idSuffix } from "@/lib/platform/http/sample-values"

/** What the reference shows of one operation, or of the call that a webhook makes for an event. */
export type ReferenceEntry = {
  /** The `operationId`, which is the anchor. */
  id: string
  method: string
  path: string
  summary: string
  paragraphs: Inline[][]
  parameters: Field[]
  body?: { mediaType: string; fields: Field[]; example?: string }
  answers: ReferenceAnswer[]
  /** By status. */
  problems: { status: string; kinds: { code: string; title: string }[] }[]
  samples: Sample[]
}

export type ReferenceAnswer = {
  status: string
  description: string
  mediaTypes: string[]
  fields: Field[]
  example?: string
}

type ReferenceTag = { slug: string; name: string; description: string; entries: ReferenceEntry[] }

let made: readonly ReferenceTag[] | undefined

/** The reference, a page for each tag, made from the OpenAPI document of this release. */
export function referenceTags(): readonly ReferenceTag[] {
  made ??= tagsOf(apiDocument())
  return made
}

/** The entries of a tag, their samples with the ids of the reader's project and domain. */
export function entriesFor(tag: ReferenceTag, { project, domain }: Reader): ReferenceEntry[] {
  const ids = [
    [`proj_${idSuffix}`, project?.id],
    [`dom_${idSuffix}`, domain?.id],
  ] as const
  const filled = (code: string) => ids.reduce((text, [sample, id]) => (id ? text.replaceAll(sample, id) : text), code)
  return tag.entries.map((entry) => ({
    ...entry,
    samples: entry.samples.map(({ lang, code }) => ({ lang, code: filled(code) })),
  }))
}

type Content = Record<string, { schema?: Json; example?: unknown }>
type Operation = {
  operationId: string
  summary: string
  description?: string
  tags: string[]
  parameters: { name: string; in: string; required?: boolean; description?: string; schema?: Json }[]
  requestBody?: { content: Content }
  responses: Record<string, { description?: string; content?: Content }>
  "x-codeSamples"?: { lang: string; source: string }[]
}
type Document = {
  tags: { name: string; description?: string }[]
  paths: Record<string, Record<string, Operation>>
  webhooks: Record<string, { post: Operation }>
  components: { schemas: Json }
}

function tagsOf(openApi: Json): ReferenceTag[] {
  const { tags, paths, webhooks, components } = openApi as unknown as Document
  const operations = Object.entries(paths).flatMap(([path, item]) =>
    Object.entries(item).map(([method, operation]) => ({ method: method.toUpperCase(), path, operation })),
  )
  const calls = Object.entries(webhooks).map(([path, { post }]) => ({ method: "EVENT", path, operation: post }))
  return tags.map(({ name, description = "" }) => ({
    ...{ name, description, slug: headingSlugOf(name) },
    entries: [...operations, ...calls]
      .filter(({ operation }) => operation.tags[0] === name)
      .map((one) => entryOf(one, components.schemas)),
  }))
}

const sampleLanguages: Readonly<Record<string, string>> = { Shell: "sh", TypeScript: "ts" }

function entryOf(
  { method, path, operation }: { method: string; path: string; operation: Operation },
  schemas: Json,
): ReferenceEntry {
  const { operationId, summary, description = "", parameters, requestBody, responses } = operation
  const [mediaType, content] = Object.entries(requestBody?.content ?? {})[0] ?? []
  const own = Object.entries(responses).filter(([status]) => status !== "default")
  return {
    ...{
      id: operationId,
      method,
      path,
      summary,
      paragraphs: description.split("\n\n").filter(Boolean).map(parseInline),
    },
    parameters: parameters.map((one) => parameterField(one, schemas)),
    ...(mediaType && content
      ? { body: { mediaType, fields: listedFields(content.schema ?? {}, schemas), ...exampleOf(content.example) } }
      : {}),
    answers: own.filter(([status]) => status.startsWith("2")).map(([status, one]) => answerOf(status, one, schemas)),
    problems: own
      .filter(([status]) => !status.startsWith("2"))
      .map(([status, one]) => ({ status, kinds: kindsOf(one.description ?? "") })),
    samples: (operation["x-codeSamples"] ?? []).map(({ lang, source }) => ({
      lang: sampleLanguages[lang] ?? lang,
      code: source,
    })),
  }
}

function answerOf(status: string, response: Operation["responses"][string], schemas: Json): ReferenceAnswer {
  const { description = "", content = {} } = response
  const [first] = Object.values(content)
  return {
    ...{ status, description, mediaTypes: Object.keys(content) },
    fields: listedFields(first?.schema ?? {}, schemas),
    ...exampleOf(first?.example),
  }
}

function exampleOf(example: unknown) {
  return example === undefined ? {} : { example: JSON.stringify(example, null, 2) }
}

/** The document names problems as `code` (title). */
function kindsOf(description: string) {
  return [...description.matchAll(/`([\w.]+)` \(([^)]*)\)/g)].map(([, code = "", title = ""]) => ({ code, title }))
}
