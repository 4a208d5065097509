import { apiDocument } from "@/lib/api/openapi"
import { headingSlugOf, type Inline, parseInline, type Sample } from "@/lib/docs/guides"
import type { Reader } from "@/lib/docs/reader-rules"
import type { Json } from "@/lib/platform/http/json-schema"
import { idSuffix } from "@/lib/platform/http/samples"

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

/** A field of a body or an answer, or a parameter, in words. */
export type Field = {
  /** With the names of what it is in: `attachments[].filename`. */
  name: string
  type: string
  required: boolean
  description: Inline[]
  /** What the schema allows: lengths, ranges, numbers of items, the default. */
  limits: string[]
  /** Where a parameter is: `path`, `query` or `header`. */
  place?: string
}

/** Levels of fields within fields that are listed. */
const depthMax = 4
/** Fields that are listed of one body or answer. */
const fieldsMax = 150

/** Every field of a value, those within a field after it. */
export function listedFields(schema: Json, schemas: Json): Field[] {
  return within(schema, "", { schemas, depth: 0, refs: [] }).slice(0, fieldsMax)
}

type Parameter = { name: string; in: string; required?: boolean; description?: string; schema?: Json }

function parameterField(parameter: Parameter, schemas: Json): Field {
  const { name, required = false, description, schema = {} } = parameter
  return { ...fieldOf(name, description ? { ...schema, description } : schema, required, schemas), place: parameter.in }
}

type Place = { schemas: Json; depth: number; refs: readonly string[] }

function within(schema: Json, prefix: string, place: Place): Field[] {
  const { value, refs } = resolved(schema, place)
  if (place.depth >= depthMax) return []
  const deeper = { ...place, refs }
  const choices = choicesOf(value)
  if (choices.length > 0) return uniqueByName(choices.flatMap((one) => within(one, prefix, deeper)))
  if (value.items) return within(value.items as Json, `${prefix}[]`, deeper)
  const required = (value.required ?? []) as string[]
  return Object.entries((value.properties ?? {}) as Record<string, Json>).flatMap(([key, one]) => {
    const name = prefix ? `${prefix}.${key}` : key
    return [
      fieldOf(name, one, required.includes(key), place.schemas),
      ...within(one, name, { ...deeper, depth: place.depth + 1 }),
    ]
  })
}

/** What a reference leads to; nothing where it leads back to what it is part of. */
function resolved(schema: Json, { schemas, refs }: Place): { value: Json; refs: readonly string[] } {
  if (typeof schema.$ref !== "string") return { value: schema, refs }
  const name = nameOf(schema.$ref)
  return refs.includes(name) ? { value: {}, refs } : { value: (schemas[name] ?? {}) as Json, refs: [...refs, name] }
}

function nameOf(reference: string): string {
  return reference.split("/").at(-1) ?? ""
}

function uniqueByName(fields: Field[]): Field[] {
  return [...new Map(fields.map((field) => [field.name, field])).values()]
}

/** What a value may be, apart from null. */
function choicesOf({ oneOf, anyOf, allOf }: Json): Json[] {
  const choices = [oneOf, anyOf, allOf].find(Array.isArray) as Json[] | undefined
  return choices?.filter(({ type }) => type !== "null") ?? []
}

function fieldOf(name: string, schema: Json, required: boolean, schemas: Json): Field {
  const { value } = resolved(schema, { schemas, depth: 0, refs: [] })
  const [only, ...others] = choicesOf(value)
  const bounds =
    only && others.length === 0 ? { ...resolved(only, { schemas, depth: 0, refs: [] }).value, ...value } : value
  const description = [schema.description, value.description, bounds.description].find((one) => typeof one === "string")
  return {
    ...{ name, required, type: typeOf(schema, schemas, []) },
    description: parseInline(description ?? ""),
    limits: limitsOf(bounds),
  }
}

/** Values of an enumeration that are listed. */
const valuesMax = 20

function typeOf(schema: Json, schemas: Json, refs: readonly string[]): string {
  const { value, refs: seen } = resolved(schema, { schemas, depth: 0, refs })
  if (Array.isArray(value.enum)) {
    const shown = value.enum.slice(0, valuesMax).map((one) => JSON.stringify(one))
    return [...shown, ...(value.enum.length > valuesMax ? ["…"] : [])].join(" | ")
  }
  if (value.const !== undefined) return JSON.stringify(value.const)
  const choices = choicesOf(value)
  if (choices.length > 0) return [...new Set(choices.map((one) => typeOf(one, schemas, seen)))].join(" or ")
  const type = Array.isArray(value.type) ? value.type.filter((one) => one !== "null").join(" or ") : value.type
  if (type === "array") return `array of ${typeOf((value.items ?? {}) as Json, schemas, seen)}`
  if (type === "string" && typeof value.format === "string") return formats[value.format] ?? "string"
  return typeof type === "string" && type ? type : "object"
}

const formats: Readonly<Record<string, string>> = {
  "date-time": "time, ISO 8601",
  date: "date, ISO 8601",
  email: "email address",
  uri: "URL",
  binary: "file",
}

function limitsOf(schema: Json): string[] {
  return [
    rangeOf(schema.minLength, schema.maxLength, "characters"),
    rangeOf(schema.minimum, schema.maximum, ""),
    rangeOf(schema.minItems, schema.maxItems, "items"),
    rangeOf(schema.minProperties, schema.maxProperties, "entries"),
    schema.default === undefined ? "" : `default ${JSON.stringify(schema.default)}`,
  ].filter(Boolean)
}

function rangeOf(from: unknown, to: unknown, unit: string): string {
  const [min, max] = [from, to].map((one) => (typeof one === "number" ? one.toLocaleString("en-US") : ""))
  const text =
    min && max ? (min === max ? min : `${min} to ${max}`) : max ? `at most ${max}` : min ? `at least ${min}` : ""
  return text && unit ? `${text} ${unit}` : text
}
