import type { Endpoint } from "@/lib/platform/http/endpoint"
import { schemaOf, type Json } from "@/lib/platform/http/json-schema"
import type { ProblemKind } from "@/lib/platform/http/problem"

/** Problems that follow from an operation's access and rate limit rather than from its own code. */
export type ImpliedProblems = { unauthenticated: ProblemKind[]; forbidden: ProblemKind[]; limited: ProblemKind[] }

/** What an operation responds with: success, nothing, each problem. */
export function responsesOf(endpoint: Endpoint, implied: ImpliedProblems, schemas: Json): Json {
  const [status, schema, contentType] = endpoint.answers
  const limit = endpoint.bucket ? rateHeaders : {}
  const success: Json = { description: "Success.", ...(Object.keys(limit).length ? { headers: limit } : {}) }
  if (schema) success.content = { [contentType ?? "application/json"]: { schema: schemaOf(schema, schemas) } }
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

export function problemResponse(kinds: readonly ProblemKind[], sentence?: string): Json {
  const codes = kinds.map(({ code, title }) => `\`${code}\` (${title})`).join(", ")
  const waits = kinds.some(({ status }) => status === 429 || status === 503)
  return {
    description: sentence ? `${sentence} ${codes}.` : `${codes}.`,
    ...(waits ? { headers: { "Retry-After": retryAfter } } : {}),
    content: { "application/problem+json": { schema: { $ref: "#/components/schemas/ApiProblem" } } },
  }
}

const retryAfter = { description: "Whole seconds to wait, at least 1.", schema: { type: "integer", minimum: 1 } }

const rateHeaders = {
  "X-RateLimit-Limit": { description: "Requests allowed per window.", schema: { type: "integer" } },
  "X-RateLimit-Remaining": { description: "Requests left in this window.", schema: { type: "integer" } },
  "X-RateLimit-Reset": { description: "Whole seconds until the window ends.", schema: { type: "integer" } },
}
