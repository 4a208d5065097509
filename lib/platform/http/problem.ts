/** One invalid field: `pointer` is a JSON Pointer into the body, or `query/size`, `path/contactId`, `form/file`. */
export type FieldProblem = { pointer: string; detail: string }

/** The body of every API error (RFC 9457). */
export type ProblemDocument = {
  type: string
  title: string
  status: number
  code: string
  detail?: string
  instance?: string
  requestId?: string
  errors?: FieldProblem[]
}

/** Bounds of a problem, which repeats names and values of the request. */
export const problemBounds = { errors: 100, pointerChars: 200, detailChars: 300, documentBytes: 64 * 1024 } as const

type Extras = { errors?: FieldProblem[]; retryAfterSeconds?: number; headers?: Record<string, string> }

/** Thrown by rules and operations; `serve` turns it into the error response. */
export class Problem extends Error {
  constructor(
    readonly kind: ProblemKind,
    readonly detail: string,
    readonly extras: Extras = {},
  ) {
    super(detail)
    this.name = "Problem"
  }
}

/** A kind of error: a stable code, status and title, and the text of its page. Calling it makes one problem. */
export type ProblemKind = {
  (detail?: string, extras?: Extras): Problem
  code: string
  status: number
  title: string
  explanation: string
}

const kinds = new Map<string, ProblemKind>()

/**
 * Declares a kind of error. `explanation` is the text of `/problems/<code>`: what it means and what to do. It is also
 * the default detail.
 */
export function problem(code: string, status: number, title: string, explanation: string): ProblemKind {
  const make = (detail = explanation, extras: Extras = {}) => new Problem(kind, detail, extras)
  const kind: ProblemKind = Object.assign(make, { code, status, title, explanation })
  kinds.set(code, kind)
  return kind
}

/** Every declared kind of problem whose module has been loaded, by code. */
export function problemKinds(): ProblemKind[] {
  return [...kinds.values()].sort((a, b) => a.code.localeCompare(b.code))
}

/**
 * The document of one occurrence, within `problemBounds` and `bytesMax`. Only `instance` and `requestId` differ
 * between two responses to the same error.
 */
export function problemDocument(
  raised: Problem,
  about: { baseUrl: string; requestId: string },
  bytesMax: number = problemBounds.documentBytes,
): ProblemDocument {
  const { kind, detail, extras } = raised
  const frame = {
    type: `${about.baseUrl}/problems/${kind.code}`,
    title: kind.title,
    status: kind.status,
    code: kind.code,
    detail: "",
    instance: `urn:uuid:${crypto.randomUUID()}`,
    requestId: about.requestId,
  }
  const room = bytesMax - jsonBytes(frame)
  // Half of a narrow room is left to the errors, which say where.
  const document = { ...frame, detail: cutToBytes(cutDetail(detail, problemBounds.detailChars), room / 2) }
  const errors = errorsWithin(extras.errors ?? [], bytesMax - jsonBytes(document))
  return errors.length ? { ...document, errors } : document
}

/** As many of the errors as fit, in order, one for each pointer. */
function errorsWithin(errors: readonly FieldProblem[], bytes: number): FieldProblem[] {
  let left = bytes - ',"errors":[]'.length
  const fitting: FieldProblem[] = []
  const named = new Set<string>()
  for (const { pointer, detail } of errors.slice(0, problemBounds.errors)) {
    const error = {
      pointer: cutDetail(pointer, problemBounds.pointerChars),
      detail: cutDetail(detail, problemBounds.detailChars),
    }
    if (named.has(error.pointer) && error.pointer.length < problemBounds.pointerChars) continue
    named.add(error.pointer)
    left -= jsonBytes(error) + 1
    if (left < 0) break
    fitting.push(error)
  }
  return fitting
}

/**
 * The text, or its beginning and an ellipsis, in at most so many UTF-16 units; no character is cut in two. A lone surrogate, which
 * many JSON parsers refuse, is replaced.
 */
export function cutDetail(given: string, charsMax: number): string {
  const text = given.toWellFormed()
  if (text.length <= charsMax) return text
  const end = charsMax - 1
  return `${text.slice(0, isHighSurrogate(text, end - 1) ? end - 1 : end)}…`
}

/** The same by the bytes that the text takes as a JSON string in UTF-8. */
export function cutToBytes(text: string, bytesMax: number): string {
  let cut = text
  for (let bytes = jsonBytes(cut); bytes - 2 > bytesMax && cut !== ""; bytes = jsonBytes(cut)) {
    const chars = Math.min(cut.length - 1, Math.floor((cut.length * bytesMax) / bytes))
    cut = chars > 1 ? cutDetail(cut, chars) : ""
  }
  return cut
}

function isHighSurrogate(text: string, at: number): boolean {
  const unit = text.charCodeAt(at)
  return unit >= 0xd800 && unit < 0xdc00
}

function jsonBytes(value: unknown): number {
  return new TextEncoder().encode(JSON.stringify(value)).length
}
