/** One field at fault: `pointer` is a JSON Pointer into the body, or `query/size`, `path/contactId`, `form/file`. */
export type FieldProblem = { pointer: string; detail: string }

/** What every error of the API says (RFC 9457). */
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

type Extras = { errors?: FieldProblem[]; retryAfterSeconds?: number; headers?: Record<string, string> }

/** A refusal on its way to the caller: thrown by rules and operations, written out by `serve`. */
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

/** A way to say no: a stable code, status and title, and what its page explains. Calling it makes one refusal. */
export type ProblemKind = {
  (detail?: string, extras?: Extras): Problem
  code: string
  status: number
  title: string
  explanation: string
}

const kinds = new Map<string, ProblemKind>()

/**
 * Declares a way to say no. `explanation` is the text of `/problems/<code>`: what it means and what to do; it is also
 * the detail where the thrower gives none.
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

/** The document of one occurrence. `instance` and `requestId` are what differ between two answers to the same fault. */
export function problemDocument(raised: Problem, about: { baseUrl: string; requestId: string }): ProblemDocument {
  const { kind, detail, extras } = raised
  return {
    type: `${about.baseUrl}/problems/${kind.code}`,
    title: kind.title,
    status: kind.status,
    code: kind.code,
    detail,
    instance: `urn:uuid:${crypto.randomUUID()}`,
    requestId: about.requestId,
    ...(extras.errors?.length ? { errors: extras.errors } : {}),
  }
}
