import { describe, expect, test } from "vitest"
import contract from "@/e2e/contract/contract.json"
import { apiDocument, impliedProblems } from "@/lib/api/openapi"
import { endpoints } from "@/lib/api/registry"
import { problemsByStatus } from "@/lib/platform/http/openapi"

type Json = Record<string, unknown>
type ContractProperty = {
  type?: string
  format?: string
  ref?: string
  nullable?: boolean
  items?: ContractProperty
  enum?: string[]
}
type ContractSchema = { required?: string[]; properties?: Record<string, ContractProperty>; enum?: string[] }
type Operation = (typeof contract.operations)[number]

const document = apiDocument() as {
  paths: Record<string, Record<string, Json>>
  components: { schemas: Record<string, Json> }
}
const schemas = contract.schemas as Record<string, ContractSchema>
const declared = new Map(endpoints.map((endpoint) => [endpoint.operationId, endpoint]))
const promised = new Map(contract.operations.map((operation) => [operation.operationId, operation]))
const both = contract.operations.filter(({ operationId }) => declared.has(operationId))

/** A response that the contract does not name. */
const unnamed: Record<string, string> = { "map<string,ApiKey[]>": "ApiKey" }

describe("the declarations against the contract", () => {
  test("every operation of the contract is declared", () => {
    const missing = contract.operations
      .filter(({ operationId }) => !declared.has(operationId))
      .map(({ operationId }) => operationId)
    expect(missing).toEqual([])
  })

  test("what the contract does not know is marked additive", () => {
    const unmarked = endpoints.filter(({ operationId, additive }) => !promised.has(operationId) && !additive)
    expect(unmarked.map(({ route }) => route)).toEqual([])
  })

  describe.each(both.map((operation) => [operation.operationId, operation] as const))("%s", (id, operation) => {
    const endpoint = declared.get(id)
    if (!endpoint) throw new Error(id)

    test("has the contract's method, path, success, permission and bucket", () => {
      expect(endpoint.route).toBe(`${operation.method} ${operation.path}`)
      expect([endpoint.answers[0], ...(endpoint.orEmpty ? [endpoint.orEmpty] : [])]).toContain(operation.success.status)
      const permissions = endpoint.access.credential === "none" ? [] : [...endpoint.access.anyOf]
      expect(permissions.sort()).toEqual([...((operation as { permissions?: string[] }).permissions ?? [])].sort())
      const { bucket } = endpoint
      expect(bucket && { policy: bucket.policy, requests: bucket.requests, seconds: bucket.seconds }).toEqual(
        rateOf(operation),
      )
    })

    test("declares exactly the contract's problems", () => {
      expect(Object.keys(problemsByStatus(endpoint, impliedProblems)).map(Number).sort()).toEqual(
        [...operation.problems].sort(),
      )
    })

    test("takes the contract's query and body, and what it adds is optional", () => {
      for (const parameter of operation.query as { name: string; required?: boolean }[]) {
        expect(Object.keys(endpoint.query ?? {}), parameter.name).toContain(parameter.name)
      }
      const body = (operation as { body?: string | null }).body
      if (body) compare(body, bodyOf(operation))
      else expect(endpoint.body).toBeUndefined()
    })

    test("answers in the contract's media types", () => {
      const { contentType } = operation.success as { contentType?: string | null }
      const { answers, orAnswer } = endpoint
      const ours = [answers[2] ?? (answers[1] ? "application/json" : []), orAnswer?.contentType ?? []].flat()
      if (contentType) expect(ours.sort()).toEqual(contentType.split(" | ").sort())
    })

    test("answers the contract's fields, and what it adds is optional", () => {
      const { schema } = operation.success as { schema?: string }
      const answer = answerOf(operation)
      if (schema && answer && schemas[unnamed[schema] ?? schema] && !unnamed[schema]) compare(schema, answer)
    })
  })
})

function rateOf(operation: Operation) {
  const { rate } = operation as { rate?: { policy: string; requests: number; seconds: number } | null }
  return rate ? { policy: rate.policy, requests: rate.requests, seconds: rate.seconds } : null
}

function bodyOf(operation: Operation): Json {
  const found = document.paths[operation.path]?.[operation.method.toLowerCase()] as {
    requestBody: { content: Record<string, { schema: Json }> }
  }
  return resolved(Object.values(found.requestBody.content)[0]?.schema ?? {})
}

function answerOf(operation: Operation): Json | undefined {
  const found = document.paths[operation.path]?.[operation.method.toLowerCase()] as {
    responses: Record<string, { content?: Record<string, { schema: Json }> }>
  }
  const schema = found.responses[String(operation.success.status)]?.content?.["application/json"]?.schema
  return schema && resolved(schema)
}

function resolved(schema: Json): Json {
  const name = typeof schema.$ref === "string" ? schema.$ref.split("/").pop() : undefined
  return name ? (document.components.schemas[name] ?? {}) : schema
}

/** Every field of the contract is there with its type and need; what is more is optional. */
function compare(name: string, ours: Json, seen = new Set<string>()) {
  if (seen.has(name)) return
  seen.add(name)
  const theirs = schemas[name]
  if (!theirs?.properties) return
  const properties = (ours.properties ?? {}) as Record<string, Json>
  const required = (ours.required ?? []) as string[]
  const known = Object.keys(theirs.properties)
  for (const field of theirs.required ?? []) expect(required, `${name}.${field} is required`).toContain(field)
  for (const field of required)
    expect(theirs.required ?? [], `${name}.${field} is more than the contract asks`).toContain(field)
  for (const field of known) {
    const mine = properties[field]
    const wanted = theirs.properties[field] as ContractProperty
    expect(mine, `${name}.${field} is missing`).toBeDefined()
    if (!mine) continue
    compareField(`${name}.${field}`, wanted, mine, seen)
  }
}

/** Values of a body beyond the contract's, which its callers never send. */
const addedValues: Record<string, string[]> = { "CreateContactPropertyBody.type": ["boolean", "date"] }

function compareField(at: string, wanted: ContractProperty, given: Json, seen: Set<string>) {
  const options = ((given.anyOf ?? given.oneOf) as Json[] | undefined)?.map(resolved) ?? [resolved(given)]
  const types = options.flatMap(
    (option) => option.type ?? (option.enum ? "string" : option.properties ? "object" : "any"),
  )
  if (wanted.type) expect(types, `${at} is ${wanted.type}`).toContain(wanted.type)
  const mine = options.find((option) => option.type === wanted.type) ?? options[0] ?? {}
  if (wanted.format && /^(int32|int64|double)$/.test(wanted.format))
    expect(mine.format ?? given.format, `${at} format`).toBe(wanted.format)
  if (wanted.enum) {
    const values = [...wanted.enum, ...(addedValues[at] ?? [])]
    expect([...((mine.enum as string[]) ?? [])].sort(), `${at} values`).toEqual(values.sort())
  }
  if (wanted.ref) compare(wanted.ref, mine, seen)
  if (wanted.items?.ref && mine.items) compare(wanted.items.ref, resolved(mine.items as Json), seen)
}
