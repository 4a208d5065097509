import { isUnavailable } from "@/lib/platform/database/sql-errors"
import { env } from "@/lib/platform/env/env"
import type { AnswerBody, Asked, Endpoint } from "@/lib/platform/http/endpoint"
import { JsonInvalid } from "@/lib/platform/http/json"
import type { Performed } from "@/lib/platform/http/perform"
import { Problem, problemDocument } from "@/lib/platform/http/problem"
import { internalError, requestInvalid, serviceUnavailable } from "@/lib/platform/http/problems"
import { log } from "@/lib/platform/log"
import { isStorageFault } from "@/lib/platform/storage/store"
import type { z } from "zod"
import { definitionOf, innerOf } from "@/lib/platform/http/body-values"

/** An answer before it is a `Response`, which the web server can do without. `owner`: for whom it was made, where that is known. */
export type Answer = { status: number; headers: Record<string, string>; body: AnswerBody | null; owner?: string }

export function toResponse({ body, status, headers }: Answer): Response {
  return new Response(body, { status, headers })
}

/** What an operation returned, with the headers of every answer. */
export function answerOf(performed: Performed, requestId: string, counted: Record<string, string>): Answer {
  const { status, json, stream, headers: own } = performed
  const headers = { "Cache-Control": "no-store", "X-Request-Id": requestId, ...counted, ...own }
  if (stream !== undefined || json === undefined) return { status, headers, body: stream ?? null }
  const type = { "Content-Type": "application/json", "X-Content-Type-Options": "nosniff" }
  return { status, headers: { ...type, ...headers }, body: JSON.stringify(json) }
}

/** A problem as an answer, `application/problem+json`, whatever the caller accepts. It never throws. */
export function problemAnswer(
  raised: Problem,
  requestId: string,
  counted: Record<string, string> = {},
  nulls = false,
): Answer {
  try {
    return written(raised, requestId, counted, nulls)
  } catch (error) {
    log.error({ err: error, requestId, code: raised.kind.code }, "a problem could not be written")
    return written(internalError(), requestId, {}, nulls)
  }
}

/** The same as a `Response`, for routes outside the API. */
export function answerProblem(raised: Problem, requestId: string): Response {
  return toResponse(problemAnswer(raised, requestId))
}

function written(raised: Problem, requestId: string, counted: Record<string, string>, nulls: boolean): Answer {
  const { retryAfterSeconds, headers } = raised.extras
  const document = problemDocument(raised, { baseUrl: env().baseUrl, requestId })
  return {
    status: raised.kind.status,
    headers: {
      "Content-Type": "application/problem+json",
      "Cache-Control": "no-store",
      "X-Content-Type-Options": "nosniff",
      "X-Request-Id": requestId,
      ...counted,
      ...(retryAfterSeconds === undefined ? {} : { "Retry-After": String(Math.max(1, Math.ceil(retryAfterSeconds))) }),
      ...(nulls ? preferenceApplied : {}),
      ...headers,
    },
    body: JSON.stringify(nulls ? { ...document, errors: document.errors ?? null } : document),
  }
}

/** Turns any error into a problem: an unreachable database and a full disk are 503, everything else is logged and hidden. */
export function asProblem(error: unknown, requestId: string, route: string): Problem {
  if (error instanceof Problem) return error
  if (error instanceof JsonInvalid)
    return requestInvalid(error.detail, { errors: [{ pointer: "", detail: error.detail }] })
  if (isUnavailable(error)) {
    log.warn({ err: error, requestId, route }, "the database did not answer in time")
    return serviceUnavailable(undefined, { retryAfterSeconds: 1 })
  }
  if (isStorageFault(error)) {
    log.warn({ err: error, requestId, route }, "a file could not be written")
    return serviceUnavailable("The service cannot store anything right now. Try again later.", { retryAfterSeconds: 5 })
  }
  log.error({ err: error, requestId, route }, "an operation failed")
  return internalError(`Something failed on our side. Look up request ${requestId} in the log.`)
}

// `Prefer: nulls=present` (RFC 7240): clients generated for APIs that send null for a field without a value need the field.

const preferenceApplied = { "Preference-Applied": "nulls=present" }

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
