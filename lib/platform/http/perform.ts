import { z } from "zod"
import { decodeId, encodeId, newId } from "@/lib/platform/ids"
import { bodyValues } from "@/lib/platform/http/body-values"
import { addIssues, Faults, pointerTo } from "@/lib/platform/http/faults"
import { addTextFaults } from "@/lib/platform/http/json"
import { log } from "@/lib/platform/log"
import { Problem } from "@/lib/platform/http/problem"
import { internalError, sharedProblems } from "@/lib/platform/http/problems"
import { noteGiven, noteMade, type RequestFacts } from "@/lib/platform/http/scope"
import { methodOf, Reply, type AnswerBody, type Endpoint } from "@/lib/platform/http/endpoint"
import type { Io } from "@/lib/platform/io"

/** What arrives at an operation before it is checked: text of path and query, the parsed JSON of the body. */
export type RawInput = { path: Record<string, string>; query: URLSearchParams; body: unknown }

/** What it returns: a status, the encoded JSON or a stream, and headers. */
export type Performed = { status: number; json?: unknown; stream?: AnswerBody; headers: Record<string, string> }

/**
 * Parses the input of an operation (every invalid field is reported at once), runs it under its authority and encodes
 * what it returns with its declared answer, so that nothing undeclared leaves.
 * @throws Problem requestInvalid, or a problem that the operation declares
 */
export async function perform(endpoint: Endpoint, authority: unknown, raw: RawInput, io: Io): Promise<Performed> {
  const facts = (authority as { request?: { facts?: RequestFacts } }).request?.facts
  if (facts) noteGiven(facts, raw.body)
  const performed = await run(endpoint, authority, raw, io)
  if (facts && methodOf(endpoint) !== "GET") noteMade(facts, performed.json)
  return performed
}

async function run(endpoint: Endpoint, authority: unknown, raw: RawInput, io: Io): Promise<Performed> {
  const result = await parsedOrRecovered(endpoint, authority, raw, async ({ query, body }) => {
    const path = decodePath(endpoint, raw.path)
    return declaredOnly(endpoint, () => endpoint.run(authority as never, { path, query, body } as never, io))
  })
  if (result instanceof Reply) return fromReply(endpoint, result)

  const [status, schema, contentType] = endpoint.answers
  if (!schema || contentType) return { status, headers: {} }
  const json = encode(schema, result)
  return { status, json, headers: endpoint.location ? { Location: fill(endpoint.location, raw.path, json) } : {} }
}

type Parsed = { query: Record<string, unknown>; body: unknown }

async function parsedOrRecovered(
  endpoint: Endpoint,
  authority: unknown,
  raw: RawInput,
  run: (parsed: Parsed) => Promise<unknown>,
) {
  try {
    return await run(parse(endpoint, raw))
  } catch (error) {
    const recovered =
      error instanceof Problem && endpoint.recover && (await endpoint.recover(authority as never, raw.body))
    if (recovered) return recovered
    throw error
  }
}

function fromReply(endpoint: Endpoint, reply: Reply): Performed {
  const { headers = {}, stream, value } = reply.options
  const schema = endpoint.answers[1]
  const json = value === undefined || !schema ? undefined : encode(schema, value)
  const location = endpoint.location && json && reply.status === 201
  return {
    status: reply.status,
    json,
    stream,
    headers: location ? { Location: fill(endpoint.location as string, {}, json), ...headers } : headers,
  }
}

function encode(schema: z.ZodType, value: unknown): unknown {
  return z.encode(schema, value as never)
}

function fill(template: string, path: Record<string, string>, json: unknown): string {
  const values = { ...path, ...(json as Record<string, string>) }
  return template.replaceAll(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(String(values[name])))
}

function parse(endpoint: Endpoint, raw: RawInput): Parsed {
  const faults = new Faults()
  const query = parseQuery(endpoint, raw.query, faults)
  const body = endpoint.body
    ? parseValue(endpoint.body, raw.body, faults, endpoint.checksItemsOf)
    : endpoint.bodyStream
      ? raw.body
      : undefined
  if (faults.any) throw faults.problem()
  return { query, body }
}

function parseQuery(endpoint: Endpoint, given: URLSearchParams, faults: Faults): Record<string, unknown> {
  const query: Record<string, unknown> = {}
  if (endpoint.strictQuery || methodOf(endpoint) === "DELETE") addUnknownParameters(endpoint, given, faults)
  for (const [name, schema] of Object.entries(endpoint.query ?? {})) {
    const pointer = `query/${name}`
    const [value, ...more] = given.getAll(name)
    if (more.length) faults.add(pointer, "Must be given once.")
    const asText = new Faults()
    addTextFaults(value, asText, pointer)
    const parsed = schema.safeParse(value)
    if (asText.any) addTextFaults(value, faults, pointer)
    else if (parsed.success) query[name] = parsed.data
    else addIssues(parsed.error.issues, faults, pointer)
  }
  return query
}

/** `projectId` names the project of a signed-in person wherever the path does not. */
function addUnknownParameters(endpoint: Endpoint, given: URLSearchParams, faults: Faults) {
  for (const name of new Set(given.keys())) {
    const known = name === "projectId" || Object.hasOwn(endpoint.query ?? {}, name)
    if (!known)
      faults.add(pointerTo("query", name), "Unknown parameter: it would change nothing about what this operation does.")
    if (faults.full) return
  }
}

/** Parses one value as a body would be. @throws requestInvalid with every fault */
export function parseBody<S extends z.ZodType>(schema: S, value: unknown): z.output<S> {
  const faults = new Faults()
  const parsed = parseValue(schema, value, faults)
  if (faults.any) throw faults.problem()
  return parsed as z.output<S>
}

/** Adds the faults of a value, up to the bound; the result is valid only if there are none. */
function parseValue(schema: z.ZodType, value: unknown, faults: Faults, itemsCheckedLater?: string): unknown {
  addTextFaults(withoutItems(itemsCheckedLater, value), faults)
  if (faults.full) return undefined
  const parsed = schema.safeParse(bodyValues(schema, value, faults))
  if (!parsed.success) addIssues(parsed.error.issues, faults)
  return parsed.data
}

/** The body with this list emptied; `""` is the body itself. */
function withoutItems(list: string | undefined, body: unknown): unknown {
  if (list === "") return []
  if (list === undefined || typeof body !== "object" || body === null) return body
  return Array.isArray((body as Record<string, unknown>)[list]) ? { ...body, [list]: [] } : body
}

/** A malformed id is that resource's 404, never an invalid request. */
function decodePath(endpoint: Endpoint, path: Record<string, string>): Record<string, string> {
  const ids = endpoint.path as Record<
    string,
    { prefix: Parameters<typeof decodeId>[0]; missing: () => Problem } | undefined
  >
  return Object.fromEntries(
    Object.entries(path).map(([name, text]) => {
      const declared = ids?.[name]
      if (!declared) return [name, text]
      const uuid = decodeId(declared.prefix, text)
      if (!uuid) throw declared.missing()
      return [name, uuid]
    }),
  )
}

/** A problem that is thrown without being declared is a defect: it is logged, and fails a test. */
async function declaredOnly<T>(endpoint: Endpoint, run: () => Promise<T>): Promise<T> {
  try {
    return await run()
  } catch (error) {
    if (!(error instanceof Problem)) throw error
    const declared = endpoint.problems.includes(error.kind) || sharedProblems.includes(error.kind)
    if (declared) throw error
    log.error({ route: endpoint.route, code: error.kind.code }, "an operation threw a problem that it does not declare")
    throw internalError()
  }
}

/** A new request id, as sent in `X-Request-Id` and in problems. */
export function newRequestId(): { uuid: string; text: string } {
  const uuid = newId()
  return { uuid, text: encodeId("req", uuid) }
}
