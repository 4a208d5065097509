import { z } from "zod"
import {
  codeSamplesOf,
  exampleBody,
  exampleIds,
  prefixesOf,
  idSuffix,
  wholeSampleOf,
} from "@/lib/platform/http/samples"
import { type Access, type Deprecation, type Endpoint, methodOf, pathOf } from "@/lib/platform/http/endpoint"
import { type Json, mergedSchemas, schemaOf } from "@/lib/platform/http/json-schema"
import type { ProblemKind } from "@/lib/platform/http/problem"
import { sharedProblems } from "@/lib/platform/http/problems"
import { idLength } from "@/lib/platform/ids"

export type About = {
  title: string
  version: string
  description: string
  serverUrl: string
  /** What each tag is about. */ tags: Readonly<Record<string, string>>
  implied: ImpliedProblems
  /** What is sent to the URLs of webhooks. */ events: readonly EventOfWebhooks[]
}

/** One type of event, with the schema of its body. */
export type EventOfWebhooks = { type: string; summary: string; schema: z.ZodType }

/** The OpenAPI 3.1 document of these operations, generated from their declarations alone. */
export function openApiDocument(endpoints: readonly Endpoint[], about: About): Json {
  const [requests, answers]: [Json, Json] = [{}, {}]
  schemaOf(ApiProblem, answers)
  const responses = endpoints.map((endpoint) => responsesOf(endpoint, about.implied, answers))
  const operations = endpoints.map((endpoint) => operationOf(endpoint, about, requests))
  const webhooks = about.events.map((event) => [event.type, { post: webhookOf(event, answers) }])
  const { schemas, opened } = mergedSchemas(requests, answers)
  const paths: Record<string, Json> = {}
  for (const [index, endpoint] of endpoints.entries()) {
    const path = (paths[pathOf(endpoint)] ??= {})
    const samples = codeSamplesOf(endpoint, about.serverUrl, requests)
    path[methodOf(endpoint).toLowerCase()] = {
      ...operations[index],
      responses: opened(responses[index]),
      "x-codeSamples": samples,
    }
  }
  return {
    openapi: "3.1.0",
    info: {
      title: about.title,
      version: about.version,
      description: about.description,
      contact: { name: "Documentation of this installation", url: `${about.serverUrl}/docs` },
      license: { name: "MIT", identifier: "MIT" },
    },
    servers: [{ url: about.serverUrl }],
    security: [{ apiKey: [] }],
    tags: [...new Set(endpoints.map(({ tag }) => tag))].map((name) => ({ name, description: about.tags[name] })),
    paths,
    webhooks: opened(Object.fromEntries(webhooks)),
    components: {
      schemas,
      responses: { Default: problemResponse(sharedProblems, "Any operation can also return these.") },
      securitySchemes: {
        apiKey: { type: "http", scheme: "bearer", description: "An API key: `Authorization: Bearer mr_live_…`." },
        session: {
          type: "apiKey",
          in: "cookie",
          name: "mailroom.session",
          description: "The session of a user who is signed in to the dashboard (prefixed with `__Host-` over https).",
        },
        streamTokenAuth: { type: "apiKey", in: "query", name: "token", description: "A one-time stream token." },
      },
    },
  }
}

const FieldProblem = z.strictObject({ pointer: z.string(), detail: z.string() }).meta({ id: "FieldProblem" })

const ApiProblem = z
  .strictObject({
    type: z.string(),
    title: z.string(),
    status: z.int32(),
    code: z.string(),
    detail: z.string().optional(),
    instance: z.string().optional(),
    requestId: z.string().optional(),
    errors: z.array(FieldProblem).optional(),
  })
  .meta({ id: "ApiProblem" })

function operationOf(endpoint: Endpoint, about: About, schemas: Json): Json {
  const { access, body, bodyStream, bucket } = endpoint
  const content = body
    ? { "application/json": { schema: schemaOf(body, schemas), example: exampleBody(endpoint, schemas) } }
    : bodyStream && {
        [bodyStream]: { schema: bodyStream === "multipart/form-data" ? oneFile : { type: "string", format: "binary" } },
      }
  return {
    operationId: endpoint.operationId,
    tags: [endpoint.tag],
    summary: endpoint.summary,
    description: [
      endpoint.description,
      accessSentence(access),
      bucket && bucketSentence(bucket),
      endpoint.additive && "Additive: offered beyond the published contract.",
      endpoint.deprecated && deprecationSentence(endpoint.deprecated, about),
    ]
      .filter(Boolean)
      .join("\n\n"),
    ...(endpoint.deprecated ? { deprecated: true } : {}),
    security: securityOf(access),
    ...(bucket
      ? { "x-rate-limit": { policy: bucket.policy, requests: bucket.requests, seconds: bucket.seconds } }
      : {}),
    parameters: [...pathParameters(endpoint), ...queryParameters(endpoint, schemas)],
    ...(content ? { requestBody: { required: true, content } } : {}),
  }
}

const oneFile = {
  type: "object",
  required: ["file"],
  properties: {
    file: {
      ...{ type: "string", format: "binary", contentMediaType: "application/octet-stream" },
      description: "Exactly one file.",
    },
  },
}

function securityOf(access: Access): Json[] {
  if (access.credential === "none") return access.scheme ? [{ streamTokenAuth: [] }] : []
  if (access.credential === "key") return [{ apiKey: [] }]
  return access.credential === "session" ? [{ session: [] }] : [{ apiKey: [] }, { session: [] }]
}

function accessSentence(access: Access): string {
  if (access.credential === "none") return ""
  const wanted = access.anyOf.map((permission) => `\`${permission}\``).join(" or ")
  return [
    access.credential === "session" && "For signed-in users.",
    access.credential === "key" && "For API keys, whatever their permissions.",
    wanted && `Needs ${wanted}.`,
    access.roles && `Signed-in users need the role ${access.roles.join(" or ")}.`,
  ]
    .filter(Boolean)
    .join(" ")
}

function bucketSentence({ policy, requests, seconds }: NonNullable<Endpoint["bucket"]>): string {
  return `Bucket \`${policy}\`: ${requests} requests in ${seconds} s per key.`
}

function deprecationSentence({ since, sunset, page }: Deprecation, { serverUrl }: About): string {
  const [from, until] = [since, sunset].map((date) => date.toISOString().slice(0, 10))
  return `Deprecated since ${from}, served until ${until} at least: see [what to use instead](${serverUrl}${page}).`
}

function pathParameters(endpoint: Endpoint): Json[] {
  const prefixes = prefixesOf(endpoint)
  return Object.entries(exampleIds(endpoint)).map(([name, example]) => {
    const prefix = prefixes[name]
    const schema = { type: "string", ...(prefix && { maxLength: idLength(prefix) }) }
    return { name, in: "path", required: true, schema, example }
  })
}

function queryParameters(endpoint: Endpoint, schemas: Json): Json[] {
  const declared = Object.entries(endpoint.query ?? {}).map(([name, schema]) => {
    const { description, required, ...rest } = schemaOf(schema, schemas) as Json
    const absent = schema.safeParse(undefined)
    const mandatory = required === true || !absent.success
    // zod omits the default of a schema that decodes text into another type.
    const fallback = absent.data === undefined ? {} : { default: absent.data }
    return {
      name,
      in: "query",
      required: mandatory,
      ...(description ? { description } : {}),
      schema: { ...rest, ...fallback },
    }
  })
  const named = pathOf(endpoint).includes("{projectId}") || endpoint.query?.projectId !== undefined
  const ofSession = endpoint.reach === "project" && !["none", "key"].includes(endpoint.access.credential) && !named
  return ofSession ? [...declared, projectOfSession] : declared
}

const projectOfSession = {
  name: "projectId",
  in: "query",
  required: false,
  description: "The project, for signed-in users. An API key always uses its own project.",
  schema: { type: "string", maxLength: idLength("proj") },
}

/** Problems that follow from an operation's access and rate limit rather than from its own code. */
export type ImpliedProblems = { unauthenticated: ProblemKind[]; forbidden: ProblemKind[]; limited: ProblemKind[] }

/** What an operation responds with: success, nothing, each problem. */
function responsesOf(endpoint: Endpoint, implied: ImpliedProblems, schemas: Json): Json {
  const [status, schema, contentType] = endpoint.answers
  const headers = {
    "X-Request-Id": requestId,
    ...(endpoint.bucket ? rateHeaders : {}),
    ...(endpoint.location ? { Location: location } : {}),
    ...(endpoint.idempotent ? { "Idempotent-Replayed": replayed } : {}),
    ...(endpoint.deprecated ? goingHeaders : {}),
  }
  const success: Json = { description: "Success.", headers }
  if (schema && !contentType) success.content = { "application/json": exampleOf(schema, schemas) }
  else if (schema && contentType) success.content = { [contentType]: { schema: schemaOf(schema, schemas) } }
  else if (contentType) success.content = { [contentType]: { schema: { type: "string" } } }
  if (endpoint.orAnswer) {
    const { contentType: other, schema: otherSchema } = endpoint.orAnswer
    success.content = { ...(success.content as Json), [other]: { schema: schemaOf(otherSchema, schemas) } }
  }
  const responses: Json = { [status]: success }
  if (endpoint.orEmpty) responses[endpoint.orEmpty] = { description: "No content." }
  for (const [code, kinds] of Object.entries(problemsByStatus(endpoint, implied)))
    responses[code] = problemResponse(kinds)
  responses.default = { $ref: "#/components/responses/Default" }
  return responses
}

function exampleOf(schema: z.ZodType, schemas: Json): Json {
  const wire = schemaOf(schema, schemas)
  return { schema: wire, example: wholeSampleOf(wire, schemas) }
}

/** The call that a webhook's URL gets. */
function webhookOf({ type, summary, schema }: EventOfWebhooks, schemas: Json): Json {
  return {
    operationId: `on${type.replaceAll(/(?:^|[._])(\w)/g, (_, first: string) => first.toUpperCase())}`,
    tags: ["Webhooks"],
    summary,
    description: `The call for \`${type}\`, before the webhook's transformations. Signed as [Standard Webhooks](https://www.standardwebhooks.com) describe, and repeated until the URL answers with a status from 200 to 299.`,
    security: [],
    parameters: webhookHeaders,
    requestBody: { required: true, content: { "application/json": exampleOf(schema, schemas) } },
    responses: { "2XX": { description: "The event has arrived." } },
  }
}

const webhookHeaders = [
  ["webhook-id", "The id of the event: the same for each attempt and replay.", `evt_${idSuffix}`],
  ["webhook-timestamp", "When this attempt was signed, in seconds since 1970.", "1798135200"],
  [
    "webhook-signature",
    "One signature for each valid secret, separated by spaces.",
    "v1,K5oZfzN95Z9UVu1EsfQmfVNQhnkZ2pj9o9NDN/H/pI4=",
  ],
].map(([name, description, example]) => ({
  ...{ name, in: "header", required: true, description },
  ...{ schema: { type: "string" }, example },
}))

/** The problems that an operation declares, by status: its own, and those that follow from access and bucket. */
export function problemsByStatus(endpoint: Endpoint, implied: ImpliedProblems): Record<number, ProblemKind[]> {
  const closed = endpoint.access.credential !== "none"
  const all = new Set([
    ...endpoint.problems,
    ...(closed ? [...implied.unauthenticated, ...implied.forbidden] : []),
    ...(endpoint.bucket ? implied.limited : []),
  ])
  const byStatus: Record<number, ProblemKind[]> = {}
  for (const kind of new Set(all)) byStatus[kind.status] = [...(byStatus[kind.status] ?? []), kind]
  return byStatus
}

function problemResponse(kinds: readonly ProblemKind[], sentence?: string): Json {
  const codes = kinds.map(({ code, title }) => `\`${code}\` (${title})`).join(", ")
  const waits = kinds.some(({ status }) => status === 429 || status === 503)
  return {
    description: sentence ? `${sentence} ${codes}.` : `${codes}.`,
    ...(waits ? { headers: { "Retry-After": retryAfter } } : {}),
    content: { "application/problem+json": { schema: { $ref: "#/components/schemas/ApiProblem" } } },
  }
}

const retryAfter = { description: "Whole seconds to wait, at least 1.", schema: { type: "integer", minimum: 1 } }

const requestId = { description: "The request in logs and problems.", schema: { type: "string" } }
const location = { description: "The path of what was made.", schema: { type: "string" } }
const replayed = { description: "`true` if the answer is that of an earlier request.", schema: { type: "string" } }

const goingHeaders = {
  Deprecation: { description: "Since when it is deprecated (RFC 9745).", schema: { type: "string" } },
  Sunset: { description: "Until when it is served at least (RFC 8594).", schema: { type: "string" } },
  Link: { description: "The page that says what to use instead.", schema: { type: "string" } },
}

const rateHeaders = {
  "X-RateLimit-Limit": { description: "Requests allowed per window.", schema: { type: "integer" } },
  "X-RateLimit-Remaining": { description: "Requests left in this window.", schema: { type: "integer" } },
  "X-RateLimit-Reset": { description: "Whole seconds until the window ends.", schema: { type: "integer" } },
}
