import { isUnavailable } from "@/lib/platform/database/sql-errors"
import { env } from "@/lib/platform/env/env"
import type { AnswerBody } from "@/lib/platform/http/endpoint"
import { JsonInvalid } from "@/lib/platform/http/json"
import { preferenceApplied } from "@/lib/platform/http/nulls"
import type { Performed } from "@/lib/platform/http/perform"
import { Problem, problemDocument } from "@/lib/platform/http/problem"
import { internalError, requestInvalid, serviceUnavailable } from "@/lib/platform/http/problems"
import { log } from "@/lib/platform/log"
import { isStorageFault } from "@/lib/platform/storage-faults"

/** An answer before it is a `Response`, which the web server can do without. */
export type Answer = { status: number; headers: Record<string, string>; body: AnswerBody | null }

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
