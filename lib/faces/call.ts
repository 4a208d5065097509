import type { Api } from "@/lib/api/registry"
import { requirePermission } from "@/lib/access/authorize"
import { RequestCount } from "@/lib/access/limits/request-count"
import { permissionMissing, rateLimited } from "@/lib/access/problems"
import type { Access, Endpoint, Route } from "@/lib/platform/http/endpoint"
import { perform } from "@/lib/platform/http/perform"
import { type FieldProblem, Problem } from "@/lib/platform/http/problem"
import type { RequestInfo, Scope } from "@/lib/platform/http/scope"
import type { Io } from "@/lib/platform/io"

/** What an operation of a face has in common with the first of ours that it calls; the problems are those of all that it calls. */
export function like(main: Endpoint, ...others: Endpoint[]) {
  const { access, bucket, bodyBytesMax, bodyPartsMax, countsInRun, tag } = main
  const anyOf = access.credential === "none" ? [] : access.anyOf
  const problems = [main, ...others].flatMap((operation) => operation.problems)
  return {
    ...{ bucket, tag, additive: true, access: { credential: "key", anyOf } satisfies Access as Access },
    ...(bodyBytesMax === undefined ? {} : { bodyBytesMax }),
    ...(bodyPartsMax === undefined ? {} : { bodyPartsMax }),
    ...(countsInRun === undefined ? {} : { countsInRun }),
    problems: [...new Set([permissionMissing, rateLimited, ...problems])],
  }
}

type Given<R extends keyof Api> = {
  /** Ids of the path as the caller wrote them. */
  path?: Record<string, string>
  query?: { [K in keyof Api[R]["query"]]?: string }
  body?: unknown
  /** What the face calls our fields, so that faults point at what the caller has written. */
  names?: FieldNames
}

/** Names of a face by those of our fields. */
export type FieldNames = Readonly<Record<string, string>>

/**
 * Runs one of our operations for a face, with the key's permission, the rate limit and the checks that it has anywhere.
 * @throws Problem
 */
export async function call<R extends keyof Api & Route>(
  scope: Scope,
  operation: Endpoint & { route: R },
  { path = {}, query = {}, body, names = {} }: Given<R>,
  io: Io,
): Promise<Api[R]["answer"]> {
  requirePermission(scope, operation.access)
  const { principal, request } = scope
  const { bucket } = operation
  if (bucket && principal.kind === "key" && isUncounted(request, bucket.policy))
    await new RequestCount(bucket, principal.keyId).take()
  const given = Object.entries(query).filter((entry): entry is [string, string] => entry[1] !== undefined)
  try {
    const performed = await perform(operation, scope, { path, query: new URLSearchParams(given), body }, io)
    return performed.json as Api[R]["answer"]
  } catch (error) {
    throw error instanceof Problem ? renamed(error, names) : error
  }
}

/** Rate limits in which a request has been counted beside that of its own operation. */
const counted = new WeakMap<RequestInfo, Set<string | undefined>>()

/** Whether no operation that the request has called so far has this rate limit, which counts it once. */
function isUncounted(request: RequestInfo, policy: string): boolean {
  const policies = counted.get(request) ?? new Set([request.count?.policy])
  counted.set(request, policies)
  return policies.size < policies.add(policy).size
}

/** Counts one more request, for each further time that one request of a face does what takes several of ours. */
export async function countAgain({ principal }: Scope, { bucket }: Endpoint): Promise<void> {
  if (bucket && principal.kind === "key") await new RequestCount(bucket, principal.keyId).take()
}

function renamed(problem: Problem, names: FieldNames): Problem {
  const { errors, ...extras } = problem.extras
  return errors ? problem.kind(problem.detail, { ...extras, errors: withNames(errors, names) }) : problem
}

/** Faults with the face's names. */
export function withNames(errors: readonly FieldProblem[], names: FieldNames): FieldProblem[] {
  return errors.map(({ pointer, detail }) => {
    const [, field = ""] = pointer.split("/")
    const name = Object.hasOwn(names, field) ? names[field] : undefined
    return { pointer: name === undefined ? pointer : `/${name}${pointer.slice(field.length + 1)}`, detail }
  })
}
