import type { Json } from "@/lib/platform/http/json-schema"

/** A value that a schema accepts: its own example or default, else the least that it requires. */
export function sampleOf(schema: Json, schemas: Json): unknown {
  const reference = typeof schema.$ref === "string" ? schema.$ref.split("/").at(-1) : undefined
  if (reference !== undefined) return sampleOf((schemas[reference] ?? {}) as Json, schemas)
  const given = [schema.examples, schema.enum].find(Array.isArray)?.[0]
  if (given !== undefined) return given
  if (schema.const !== undefined) return schema.const
  const choices = [schema.oneOf, schema.anyOf].find(Array.isArray) as Json[] | undefined
  const choice = choices?.find(({ type }) => type !== "null")
  if (choice) return sampleOf(choice, schemas)
  if (schema.default !== undefined) return schema.default
  return sampleOfType(schema, schemas)
}

function sampleOfType(schema: Json, schemas: Json): unknown {
  switch (Array.isArray(schema.type) ? schema.type[0] : schema.type) {
    case "object":
      return sampleObject(schema, schemas)
    case "array":
      return [sampleOf((schema.items ?? {}) as Json, schemas)]
    case "boolean":
      return true
    case "integer":
    case "number":
      return typeof schema.minimum === "number" ? schema.minimum : 1
    default:
      return formats[String(schema.format)] ?? "Example"
  }
}

/** What is required; where nothing is, as in a change, the first field. */
function sampleObject({ properties = {}, required = [] }: Json, schemas: Json): Json {
  const fields = properties as Record<string, Json>
  const wanted = required as string[]
  const names = wanted.length > 0 ? wanted : Object.keys(fields).slice(0, 1)
  return Object.fromEntries(names.map((name) => [name, sampleOf(fields[name] ?? {}, schemas)]))
}

const formats: Record<string, string> = {
  email: "ada@lovelace.example",
  "date-time": "2026-12-24T18:00:00.000Z",
  uri: "https://example.com/mailroom",
}
