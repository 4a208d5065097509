import { expect, test } from "vitest"
import { z } from "zod"
import { resolved, withText, type JsonSchema, type ValuePath } from "@/e2e/security/hostile"
import { examples, type Belongings } from "@/e2e/support/examples"
import { apiDocument } from "@/lib/api/openapi"
import { endpoints } from "@/lib/api/registry"
import { allProblems } from "@/lib/api/problem-pages"
import { parseBody } from "@/lib/platform/http/perform"
import { methodOf, pathOf } from "@/lib/platform/http/endpoint"
import { Problem } from "@/lib/platform/http/problem"
import { webhookEventSchemas } from "@/lib/webhooks/payload"

const document = apiDocument()
const ownIds = new Proxy({}, { get: () => "id" }) as Belongings

test("the example of every request, answer and event fits its schema", () => {
  const { paths, webhooks } = document as Record<"paths" | "webhooks", Record<string, Record<string, Described>>>
  const content = (part: Content | undefined) => part?.content?.["application/json"]
  const judged = endpoints.flatMap((endpoint): Judged[] => {
    const operation = paths[pathOf(endpoint)]?.[methodOf(endpoint).toLowerCase()]
    const [status, answer, contentType] = endpoint.answers
    return [
      [`${endpoint.operationId} request`, endpoint.body, content(operation?.requestBody)?.example],
      [endpoint.operationId, contentType ? undefined : answer, content(operation?.responses[status])?.example],
    ]
  })
  const events = webhookEventSchemas.map(({ type, schema }): Judged => {
    return [type, schema, content(webhooks[type]?.post?.requestBody)?.example]
  })
  const faults = [...judged, ...events].flatMap(([name, schema, example]) => {
    const { error } = schema?.safeParse(example) ?? {}
    return error ? [`${name}: ${error.message}`] : []
  })
  expect(faults).toEqual([])
})

type Judged = [name: string, schema: z.ZodType | undefined, example: unknown]
type Content = { content?: Record<string, { example?: unknown }> }
type Described = { requestBody?: Content; responses: Record<string, Content> }

test("operation ids are unique, and every operation has a summary and a tag", () => {
  expect(new Set(endpoints.map(({ operationId }) => operationId)).size).toBe(endpoints.length)
  for (const { route, summary, tag } of endpoints)
    expect({ summary: Boolean(summary), tag: Boolean(tag) }, route).toEqual({ summary: true, tag: true })
})

test("every problem has a page that explains it, and its code has the form area.what", () => {
  for (const { code, explanation } of allProblems()) {
    expect(code).toMatch(/^[a-z_]+\.[a-z_]+$/)
    expect(explanation.length, code).toBeGreaterThan(20)
  }
})

test("a description names each problem once, and leaves out a permission that is not needed", () => {
  for (const [path, item] of Object.entries(document.paths as Record<string, Record<string, Operation>>))
    for (const [method, { description, responses }] of Object.entries(item)) {
      expect(description, `${method} ${path}`).not.toMatch(/Needs \./)
      for (const response of Object.values(responses)) {
        const codes = response.description?.match(/`[a-z_]+\.[a-z_]+`/g) ?? []
        expect(codes, `${method} ${path}`).toEqual([...new Set(codes)])
      }
    }
})

type Operation = { description: string; responses: Record<string, { description?: string }> }

/** Every value in a JSON document that has a key, with where it is. */
function found(value: unknown, key: string, at = ""): [at: string, value: unknown][] {
  if (typeof value !== "object" || value === null) return []
  return Object.entries(value).flatMap(([name, item]) => [
    ...(name === key ? ([[at, item]] as [string, unknown][]) : []),
    ...found(item, key, `${at}/${name}`),
  ])
}

const samples = [
  "",
  ..."Pippa|Carl|Chloé|p{Cc}|a b|a\u00a0b|ü|漢字|😀|x😀y|\ud800|a\ud83d|tab\there|nul\0|\u007f|\u009f|\u2028|line\nbreak".split(
    "|",
  ),
  ..."a@b.example|2026-12-24T18:00:00Z|#a1b2c3|team-acme|top_0123|500|4xx|auth.failed|sent,failed|YWJj|YWJjZA==".split(
    "|",
  ),
  `email_${"0".repeat(26)}`,
]

test("every pattern compiles with and without the flags u and v, and means the same", () => {
  const patterns = [
    ...new Set(found(document, "pattern").flatMap(([, value]) => (typeof value === "string" ? [value] : []))),
  ]
  expect(patterns.length).toBeGreaterThan(8)
  for (const pattern of patterns) {
    expect(pattern).not.toMatch(/\\[pP]\{|\\u\{/)
    const plain = new RegExp(pattern)
    for (const flag of ["u", ...(pattern.includes("[0-9a-zA-Z+/]") || pattern.includes("[+-]") ? [] : ["v"])])
      for (const sample of samples)
        expect(new RegExp(pattern, flag).test(sample), `${pattern} ${flag} ${sample}`).toEqual(plain.test(sample))
  }
})

const requestParts = (operation: Record<string, unknown>) => [operation.requestBody, operation.parameters]

test("objects in responses are open, and those of requests are closed", () => {
  const { paths, components } = document as {
    paths: Record<string, Record<string, Record<string, unknown>>>
    components: { schemas: Record<string, unknown>; responses: unknown }
  }
  const operations = Object.values(paths).flatMap((path) => Object.values(path))
  const reached = (start: unknown, seen = new Set<string>()): Set<string> => {
    for (const [, reference] of found(start, "$ref")) {
      const name = String(reference).split("/").at(-1) ?? ""
      if (!String(reference).startsWith("#/components/schemas/") || seen.has(name)) continue
      expect(components.schemas[name], `${String(reference)} leads somewhere`).toBeDefined()
      seen.add(name)
      reached(components.schemas[name], seen)
    }
    return seen
  }
  const answers = operations.map(({ responses }) => responses)
  const inAnswers = [...reached([answers, components.responses])]
  const closed = (value: unknown) => found(value, "additionalProperties").filter(([, item]) => item === false)
  expect(closed([answers, inAnswers.map((name) => components.schemas[name])])).toEqual([])
  const inRequests = [...reached(operations.flatMap(requestParts))]
  expect(inRequests.filter((name) => inAnswers.includes(name))).toEqual([])
  expect(inRequests.filter((name) => closed(components.schemas[name]).length > 0).length).toBeGreaterThan(40)
})

const wrong: unknown[] = [
  undefined,
  null,
  0,
  -1,
  1.5,
  1e6,
  1e15,
  "",
  "x",
  "1".repeat(3_000),
  true,
  [],
  ["", 1, null],
  {},
]
wrong.push(
  { a: 1 },
  { a: "b", c: null },
  Array.from({ length: 1_001 }, () => 1),
)

/** What zod says by itself. */
const rawSentence = /Invalid |Too (big|small)|expected|Unrecognized|received/

test("no sentence of the validation library reaches a caller, whatever is wrong with a field", () => {
  const told = new Set<string>()
  const tell = (schema: z.ZodType, value: unknown) => {
    try {
      parseBody(schema, value)
    } catch (error) {
      if (!(error instanceof Problem)) throw error
      for (const { detail } of error.extras.errors ?? []) told.add(detail)
    }
  }
  for (const { body, query, operationId } of endpoints) {
    for (const schema of Object.values(query ?? {})) for (const value of wrong) tell(schema, value)
    if (!body) continue
    const example = (examples[operationId]?.(ownIds).body ?? {}) as Record<string, unknown>
    const shape = z.toJSONSchema(body, { io: "input", unrepresentable: "any" }) as JsonSchema
    for (const value of wrong) tell(body, value)
    for (const path of fieldPaths(shape, shape))
      for (const value of wrong) tell(body, JSON.parse(JSON.stringify(withText(example, path, value)) ?? "null"))
  }
  expect(told.size).toBeGreaterThan(50)
  expect([...told].filter((sentence) => rawSentence.test(sentence))).toEqual([])
  for (const sentence of ["Must be given.", "Must be a whole number.", "Must be at most 259200."])
    expect([...told]).toContain(sentence)
})

function fieldPaths(schema: JsonSchema, root: JsonSchema, path: ValuePath = []): ValuePath[] {
  if (path.length > 2) return []
  const here = resolved(schema, root) as JsonSchema & { oneOf?: JsonSchema[] }
  return [
    ...[...(here.anyOf ?? []), ...(here.oneOf ?? [])].flatMap((form) => fieldPaths(form, root, path)),
    ...(here.items ? [[...path, 0], ...fieldPaths(here.items, root, [...path, 0])] : []),
    ...Object.entries(here.properties ?? {}).flatMap(([name, field]) => [
      [...path, name],
      ...fieldPaths(field, root, [...path, name]),
    ]),
  ]
}

test("limits of numbers, text, lists and maps that the code holds are declared", () => {
  const { SendEmailRequest: mail, ProjectLimitsModel: limits } = (
    document as { components: { schemas: Record<string, { properties: Record<string, unknown> }> } }
  ).components.schemas
  expect(mail?.properties).toMatchObject({
    from: { maxLength: 998 },
    subject: { maxLength: 998 },
    html: { maxLength: 2 * 2 ** 20 },
    headers: { maxProperties: 50, propertyNames: { maxLength: 76 } },
    tags: { maxProperties: 50, propertyNames: { maxLength: 64 }, additionalProperties: { maxLength: 256 } },
    giveUpAfterSeconds: { minimum: 60, maximum: 72 * 3600 },
    attachments: { maxItems: 500 },
  })
  expect(limits?.properties.maxDomains).toMatchObject({ minimum: 1, maximum: expect.any(Number) })
})
