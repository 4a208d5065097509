import { z } from "zod"

export type Json = Record<string, unknown>

/** The JSON Schema of a wire value; schemas with a name become components, which are referenced. */
export function schemaOf(schema: z.ZodType, schemas: Json): Json {
  const generated = z.toJSONSchema(schema, { io: "input", unrepresentable: "any" }) as Json
  const { $schema: _dialect, $defs, ...root } = rewritten(generated) as Json
  for (const [name, definition] of Object.entries(($defs ?? {}) as Json))
    schemas[name] ??= withoutId(definition as Json)
  const name = schema.meta()?.id
  if (!name) return withoutId(root)
  schemas[name] ??= withoutId(root)
  return { $ref: `#/components/schemas/${name}` }
}

function withoutId({ id: _id, ...rest }: Json): Json {
  return rest
}

function rewritten(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(rewritten)
  if (typeof value !== "object" || value === null) return value
  return Object.fromEntries(
    Object.entries(value)
      .filter(([, item]) => item !== undefined)
      .map(([key, item]) => [
        key,
        key === "$ref" && typeof item === "string"
          ? item.replace("#/$defs/", "#/components/schemas/")
          : rewritten(item),
      ]),
  )
}
