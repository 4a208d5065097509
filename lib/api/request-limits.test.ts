import { expect, test } from "vitest"
import { apiDocument } from "@/lib/api/openapi"

type Schema = {
  $ref?: string
  type?: string | string[]
  format?: string
  enum?: unknown[]
  const?: unknown
  maxLength?: number
  maxItems?: number
  maximum?: number
  maxProperties?: number
  propertyNames?: Schema
  properties?: Record<string, Schema>
  items?: Schema
  additionalProperties?: Schema | boolean
  anyOf?: Schema[]
  oneOf?: Schema[]
  allOf?: Schema[]
}
type Operation = {
  operationId: string
  parameters: { name: string; in: string; schema: Schema }[]
  requestBody?: { content: Record<string, { schema: Schema }> }
}

const { paths, components } = apiDocument() as unknown as {
  paths: Record<string, Record<string, Operation>>
  components: { schemas: Record<string, Schema> }
}

/** Formats whose values are bounded by themselves. */
const boundedFormats = ["date-time", "date", "ipv4", "ipv6", "int32"]

const anyNumber = "Any number that JSON has is compared or printed as it is."
const notFound = "Not an id of ours: what is too long is not found, like any other text that names nothing."

/** What declares no limit, by component or operation and field, and why. */
const unlimited: Record<string, string> = {
  "SegmentCondition.value": anyNumber,
  "TemplateReference.variables.*": anyNumber,
  "PreviewTemplateRequest.variables.*": anyNumber,
  "removeSuppression path email": notFound,
  "getReceivedAttachment path number": notFound,
  "getDestination path destinationId": notFound,
  "updateDestination path destinationId": notFound,
  "controlDestination path destinationId": notFound,
}

test("every text, list, map and number of a request declares its limit", () => {
  const missing = new Set<string>()
  const seen = new Set<string>()
  for (const operation of Object.values(paths).flatMap((path) => Object.values(path))) {
    for (const { name, in: place, schema } of operation.parameters)
      walk(schema, `${operation.operationId} ${place} ${name}`)
    for (const [type, { schema }] of Object.entries(operation.requestBody?.content ?? {}))
      // Files are streams, limited by their octets.
      if (type === "application/json") walk(schema, operation.operationId)
  }
  expect([...missing].filter((at) => !(at in unlimited)).sort()).toEqual([])
  expect(Object.keys(unlimited).filter((at) => !missing.has(at))).toEqual([])

  function walk(schema: Schema, at: string) {
    if (schema.$ref) {
      const name = schema.$ref.split("/").at(-1) ?? ""
      if (seen.has(name)) return
      seen.add(name)
      return walk(components.schemas[name] ?? {}, name)
    }
    if (isUnlimited(schema)) missing.add(at)
    for (const one of [...(schema.anyOf ?? []), ...(schema.oneOf ?? []), ...(schema.allOf ?? [])]) walk(one, at)
    for (const [name, field] of Object.entries(schema.properties ?? {})) walk(field, `${at}.${name}`)
    if (schema.items) walk(schema.items, `${at}[]`)
    if (typeof schema.additionalProperties !== "object") return
    walk(schema.propertyNames ?? { type: "string" }, `${at}{}`)
    walk(schema.additionalProperties, `${at}.*`)
  }
})

function isUnlimited(schema: Schema): boolean {
  if (schema.enum || schema.const !== undefined || boundedFormats.includes(schema.format ?? "")) return false
  switch (schema.type) {
    case "string":
      return schema.maxLength === undefined
    case "array":
      return schema.maxItems === undefined
    case "integer":
    case "number":
      return schema.maximum === undefined
    case "object":
      return typeof schema.additionalProperties === "object" && schema.maxProperties === undefined
    default:
      return false
  }
}
