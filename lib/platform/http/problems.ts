import { type FieldProblem, problem, type Problem } from "@/lib/platform/http/problem"

// What any operation can answer besides its declared problems: the shared `default` response.

export const requestInvalid = problem(
  "request.invalid",
  400,
  "Invalid request",
  "The query, path or body is invalid. `errors` lists each invalid field with a pointer.",
)

/** Names every field, in the sentence too. */
export function fieldsInvalid(errors: FieldProblem[]) {
  return requestInvalid(errors.map(({ pointer, detail }) => `${pointer}: ${detail}`).join(" "), { errors })
}

export const pathNotFound = problem(
  "request.not_found",
  404,
  "No such path",
  "This path does not exist. Check it against the API reference.",
)
export const methodNotAllowed = problem(
  "request.method_not_allowed",
  405,
  "Method not allowed",
  "This path does not support the method. The `Allow` header lists the supported methods.",
)
export const requestTimeout = problem(
  "request.timeout",
  408,
  "Request timed out",
  "The request did not arrive in time. Send it again.",
)
export const requestTooLarge = problem(
  "request.too_large",
  413,
  "Request too large",
  "The body is larger than this operation allows. Send less in one request.",
)
export const unsupportedMediaType = problem(
  "request.unsupported_media_type",
  415,
  "Unsupported media type",
  "This operation accepts only uncompressed `application/json` in UTF-8.",
)
export const tooManyRequests = problem(
  "request.too_many",
  429,
  "Too many requests",
  "Too many requests without a credential came from this address. Wait for `Retry-After` seconds.",
)
export const internalError = problem(
  "service.internal_error",
  500,
  "Internal error",
  "Something failed on our side. Try again later, or ask the operator to look up the request id in the log.",
)
export const serviceUnavailable = problem(
  "service.unavailable",
  503,
  "Temporarily unavailable",
  "The service cannot answer right now. Try again after `Retry-After` seconds.",
)

export const organizationMoved = problem(
  "organization.moved",
  421,
  "Organization moved",
  "The organization of this API key is served by another cell of the service, which the header `Mailroom-Cell` names. The proxy in front of the cells sends such requests there: tell the operator.",
)

export function bodyTooLarge(bytesMax: number): Problem {
  return requestTooLarge(`The body may hold ${bytesMax} bytes.`)
}

export const sharedProblems = [
  requestInvalid,
  pathNotFound,
  methodNotAllowed,
  requestTimeout,
  requestTooLarge,
  unsupportedMediaType,
  tooManyRequests,
  internalError,
  serviceUnavailable,
  organizationMoved,
]
