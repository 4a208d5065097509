import { expect, test } from "vitest"
import contract from "@/e2e/contract/contract.json"
import { apiDocument } from "@/lib/api/openapi"
import { endpoints } from "@/lib/api/registry"
import { methodOf, pathOf } from "@/lib/platform/http/endpoint"

type Parameter = { name: string; in: string; required: boolean; schema: Record<string, unknown> }
type Promised = {
  name: string
  type: string
  required?: boolean
  default?: unknown
  min?: number
  max?: number
  enum?: string[]
}
type Operation = { operationId: string; tags: string[]; parameters: Parameter[] }

const document = apiDocument() as unknown as {
  paths: Record<string, Record<string, Operation>>
  tags: { name: string }[]
}
const operations = Object.values(document.paths).flatMap((path) => Object.values(path))
const documented = new Map(operations.map((operation) => [operation.operationId, operation]))
const both = contract.operations.filter(({ operationId }) => documented.has(operationId))

test("every operation of the contract has the contract's tag", () => {
  const tags = both.map(({ operationId, tag }) => [operationId, tag])
  expect(both.map(({ operationId }) => [operationId, ...(documented.get(operationId)?.tags ?? [])])).toEqual(tags)
  expect(document.tags.map(({ name }) => name)).toEqual(
    expect.arrayContaining([...new Set(both.map(({ tag }) => tag))]),
  )
})

test("the OpenAPI document gives each query parameter the contract's type, default, limits and values", () => {
  for (const { operationId, query } of both) {
    for (const promised of query as Promised[]) {
      const parameter = documented.get(operationId)?.parameters.find(({ name }) => name === promised.name)
      // The project of a session is a matter of access, on every operation that a session may call without a path to it.
      if (promised.name === "projectId" && !parameter) continue
      const { type, default: fallback, minimum, maximum, enum: values } = parameter?.schema ?? {}
      const said = { name: parameter?.name, required: parameter?.required, type, fallback, minimum, maximum, values }
      expect({ operationId, ...said }).toMatchObject({
        operationId,
        name: promised.name,
        required: promised.required ?? false,
        type: promised.type,
        ...("default" in promised && { fallback: promised.default }),
        ...("min" in promised && { minimum: promised.min }),
        ...("max" in promised && { maximum: promised.max }),
        ...("enum" in promised && { values: promised.enum }),
      })
    }
  }
})

test("every page, size and limit has its default and its limits, in additive operations too", () => {
  const paged = operations.flatMap(({ operationId, parameters }) =>
    parameters
      .filter(({ name }) => ["page", "size", "limit"].includes(name))
      .map(({ name, schema }) => ({ operationId, name, schema })),
  )
  expect(paged.length).toBeGreaterThan(20)
  for (const { operationId, name, schema } of paged) {
    const ends = [typeof schema.default, schema.minimum, Number(schema.maximum) >= Number(schema.default)]
    expect([operationId, name, schema.type, ...ends]).toEqual([operationId, name, "integer", "number", 1, true])
  }
})

test("every operation that a session may call without a project in its path has the query parameter projectId", () => {
  for (const endpoint of endpoints.filter(
    ({ reach, access }) => reach === "project" && !["none", "key"].includes(access.credential),
  )) {
    if (pathOf(endpoint).includes("{projectId}")) continue
    const named = document.paths[pathOf(endpoint)]?.[methodOf(endpoint).toLowerCase()]?.parameters.map(
      ({ name }) => name,
    )
    expect(named?.includes("projectId"), endpoint.route).toBe(true)
  }
})
