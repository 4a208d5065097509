import { z } from "zod"

export type Json = Record<string, unknown>

/** The JSON Schema of a wire value; schemas with a name become components, which are referenced. */
export function schemaOf(schema: z.ZodType, schemas: Json): Json {
  const generated = z.toJSONSchema(schema, { io: "input", unrepresentable: "any", override: addMissing }) as Json
  const {
    $schema: _dialect,
    $defs,
    ...root
  } = rewritten(generated, (key, value) => [
    key,
    key === "$ref" && typeof value === "string" ? value.replace("#/$defs/", "#/components/schemas/") : value,
  ]) as Json
  for (const [name, definition] of Object.entries(($defs ?? {}) as Json))
    schemas[name] ??= withoutId(definition as Json)
  const name = schema.meta()?.id
  if (!name) return withoutId(root)
  schemas[name] ??= withoutId(root)
  return { $ref: reference(name) }
}

/**
 * The components of requests and responses together. Objects in responses are open, since a field may be added to them at any
 * time: `opened` makes them so. Where both sides have a component of one name, that of the responses takes another.
 */
export function mergedSchemas(requests: Json, responses: Json): { schemas: Json; opened(value: unknown): unknown } {
  addReferred(requests, responses)
  addReferred(responses, requests)
  const shared = Object.keys(responses).filter((name) => Object.hasOwn(requests, name))
  const references = new Map(shared.map((name) => [reference(name), reference(`${name}Response`)]))
  const opened = (value: unknown) =>
    rewritten(value, (key, item) => {
      if (key === "additionalProperties" && item === false) return null
      return [key, key === "$ref" ? (references.get(String(item)) ?? item) : item]
    })
  const answers = Object.entries(responses).map(([name, schema]): [string, unknown] => [
    shared.includes(name) ? `${name}Response` : name,
    opened(schema),
  ])
  const all = [...Object.entries(requests), ...answers].sort(([a], [b]) => a.localeCompare(b))
  return { schemas: Object.fromEntries(all), opened }
}

/** A schema may refer to a component that only the other side has brought along. */
function addReferred(from: Json, to: Json) {
  const missing = () =>
    [...JSON.stringify(to).matchAll(/"#\/components\/schemas\/([^"]+)"/g)]
      .map(([, name = ""]) => name)
      .filter((name) => !Object.hasOwn(to, name) && Object.hasOwn(from, name))
  for (let names = missing(); names.length > 0; names = missing()) for (const name of names) to[name] = from[name]
}

/**
 * What zod leaves out: examples of what is decoded (ours are of the wire), and bounds of a number that its format does not
 * imply, since the schemas of whole numbers leave out those that it does.
 */
function addMissing({ zodSchema, jsonSchema }: { zodSchema: z.core.$ZodTypes; jsonSchema: Json }) {
  const { examples } = z.globalRegistry.get(zodSchema) ?? {}
  if (examples) jsonSchema.examples = examples
  if (zodSchema._zod.def.type !== "number") return
  for (const { _zod } of zodSchema._zod.def.checks ?? []) {
    const { check, value, inclusive } = _zod.def as { check: string; value?: number; inclusive?: boolean }
    if (inclusive && check === "greater_than") jsonSchema.minimum ??= value
    if (inclusive && check === "less_than") jsonSchema.maximum ??= value
  }
}

function reference(name: string): string {
  return `#/components/schemas/${name}`
}

type Rewrite = (key: string, value: unknown) => [string, unknown] | null

function withoutId({ id: _id, ...rest }: Json): Json {
  return rest
}

function rewritten(value: unknown, rewrite: Rewrite): unknown {
  if (Array.isArray(value)) return value.map((item) => rewritten(item, rewrite))
  if (typeof value !== "object" || value === null) return value
  return Object.fromEntries(
    Object.entries(value).flatMap(([key, item]) => {
      const kept = item === undefined ? null : rewrite(key, item)
      return kept ? [[kept[0], rewritten(kept[1], rewrite)]] : []
    }),
  )
}
