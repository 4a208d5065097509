import type { z } from "zod"
import type { Asked } from "@/lib/platform/http/asked"
import { definitionOf, innerOf } from "@/lib/platform/http/body-values"
import type { Endpoint } from "@/lib/platform/http/endpoint"
import type { Performed } from "@/lib/platform/http/perform"

// `Prefer: nulls=present` (RFC 7240): clients generated for APIs that send null for a field without a value need the field.

export const preferenceApplied = { "Preference-Applied": "nulls=present" }

/** Whether the request prefers it. Of a preference that is given twice, the first counts. */
export function wantsNulls(asked: Pick<Asked, "headers">): boolean {
  const prefer = asked.headers.get("prefer")
  if (prefer === null) return false
  const preferences = prefer.split(",").map((one) => (one.split(";", 1)[0] ?? "").trim().toLowerCase())
  const first = preferences.find((one) => /^nulls *(=|$)/.test(one))
  return first !== undefined && /^nulls *= *(present|"present")$/.test(first)
}

/** The answer with null in every declared field that it leaves out. */
export function withNulls(endpoint: Endpoint, performed: Performed): Performed {
  const [, schema, contentType] = endpoint.answers
  if (!schema || contentType || performed.json === undefined) return performed
  const json = filled(schema, performed.json)
  return { ...performed, json, headers: { ...performed.headers, ...preferenceApplied } }
}

function filled(schema: z.ZodType, value: unknown): unknown {
  if (typeof value !== "object" || value === null) return value
  const definition = definitionOf(schema)
  const inner = innerOf(schema, definition, value)
  if (inner) return filled(inner, value)
  const { element, shape, valueType } = definition
  if (Array.isArray(value)) return element ? value.map((item) => filled(element, item)) : value
  if (shape) return filledObject(shape, value as Record<string, unknown>)
  if (!valueType) return value
  return Object.fromEntries(Object.entries(value).map(([name, item]) => [name, filled(valueType, item)]))
}

function filledObject(shape: Record<string, z.ZodType>, value: Record<string, unknown>) {
  const result = { ...value }
  for (const [name, field] of Object.entries(shape))
    result[name] = value[name] === undefined ? null : filled(field, value[name])
  return result
}
