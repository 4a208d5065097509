/** What this test reads of a JSON Schema. */
export type JsonSchema = {
  type?: string
  format?: string
  properties?: Record<string, JsonSchema>
  items?: JsonSchema
  anyOf?: JsonSchema[]
  additionalProperties?: JsonSchema | boolean
  enum?: unknown[]
  $ref?: string
  $defs?: Record<string, JsonSchema>
}

const length = 50_000
/** Schemas that hold themselves are followed no further. */
const depthMax = 8

/** Long texts on which patterns that look back, or loops within loops, take their time. */
export const hostileTexts: readonly string[] = [
  `${"a".repeat(length)}!`,
  ..."@. \"'(<,;-=/\\\n\u00a0".split("").map((character) => character.repeat(length)),
  "a@".repeat(length / 2),
  "a.".repeat(length / 2),
  `a@${"a.".repeat(length / 2)}`,
  `a@${"a-".repeat(length / 2)}!`,
  `"${"\\".repeat(length)}`,
  `${" ".repeat(length)}x`,
  `a <${"<".repeat(length)}`,
  `xn--${"a".repeat(length)}`,
  `a/b${"; a=b".repeat(length / 5)}\\`,
  `2026-${"0".repeat(length)}`,
  "é".repeat(length),
]

export type ValuePath = (string | number)[]

/** Where a value of this schema may have text: paths of names and indexes. An entry of a record is called `key`. */
export function stringPaths(schema: JsonSchema, root = schema, path: ValuePath = []): ValuePath[] {
  if (path.length > depthMax) return []
  const here = resolved(schema, root)
  const choices = (here.anyOf ?? []).map((one) => resolved(one, root))
  if (here.type === "string" || choices.some(({ type }) => type === "string")) {
    if (here.enum) return []
    return [path, ...choices.filter(({ type }) => type === "array").flatMap((one) => stringPaths(one, root, path))]
  }
  if (here.type === "array" && here.items) return stringPaths(here.items, root, [...path, 0])
  const named = Object.entries(here.properties ?? {}).flatMap(([name, one]) => stringPaths(one, root, [...path, name]))
  const record =
    typeof here.additionalProperties === "object" ? stringPaths(here.additionalProperties, root, [...path, "key"]) : []
  return [...named, ...record, ...choices.flatMap((one) => stringPaths(one, root, path))]
}

/** The schema that a reference names. */
export function resolved(schema: JsonSchema, root: JsonSchema): JsonSchema {
  return (schema.$ref && root.$defs?.[schema.$ref.replace("#/$defs/", "")]) || schema
}

/** The value with something else at one path; missing objects and lists on the way there are created. */
export function withText(value: unknown, [first, ...rest]: ValuePath, text: unknown): unknown {
  if (first === undefined) return text
  if (typeof first === "number") return [withText(Array.isArray(value) ? value[0] : undefined, rest, text)]
  return {
    ...(value as object | undefined),
    [first]: withText((value as Record<string, unknown> | undefined)?.[first], rest, text),
  }
}
