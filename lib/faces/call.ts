import type { Api } from "@/lib/api/registry"
import { requirePermission } from "@/lib/access/authorize"
import { RequestCount } from "@/lib/access/limits/data"
import { permissionMissing, rateLimited } from "@/lib/access/problems"
import type { Access, Endpoint, Route } from "@/lib/platform/http/endpoint"
import { perform, parseBody } from "@/lib/platform/http/perform"
import { type FieldProblem, Problem, type ProblemDocument, problemKinds } from "@/lib/platform/http/problem"
import type { RequestInfo, Scope } from "@/lib/platform/http/scope"
import type { Io } from "@/lib/platform/io"
import { batchSendEmails } from "@/lib/emails/send/api"
import { NewEmail } from "@/lib/emails/send/schema"
import { createTurns } from "@/lib/platform/jobs/turns"

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
function withNames(errors: readonly FieldProblem[], names: FieldNames): FieldProblem[] {
  return errors.map(({ pointer, detail }) => {
    const [, field = ""] = pointer.split("/")
    const name = Object.hasOwn(names, field) ? names[field] : undefined
    return { pointer: name === undefined ? pointer : `/${name}${pointer.slice(field.length + 1)}`, detail }
  })
}

/** As many as one of our batches takes. */
const groupMax = 100

export type FaceSend = Record<string, unknown>

/**
 * Sends several emails that a caller has asked for by one request, in batches. What is wrong with one of them is found before the
 * first is sent. If the quota ends in between, the problem says how many are on their way.
 * @returns their ids
 * @throws Problem
 */
export async function sendEach(
  scope: Scope,
  count: number,
  sendAt: (index: number) => FaceSend,
  namesAt: (index: number) => FieldNames,
  io: Io,
): Promise<string[]> {
  const turn = createTurns()
  for (let index = 0; index < count; index++) {
    check(sendAt(index), namesAt(index))
    await turn()
  }
  const ids: string[] = []
  for (let from = 0; from < count; from += groupMax) {
    if (from > 0) await countAgain(scope, batchSendEmails)
    const items = Array.from({ length: Math.min(groupMax, count - from) }, (_, at) => sendAt(from + at))
    const { results } = await call(scope, batchSendEmails, { body: { items } }, io)
    const at = results.findIndex(({ problem }) => problem !== undefined)
    const refused = results[at]?.problem as ProblemDocument | undefined
    ids.push(...results.flatMap(({ id }) => id ?? []))
    if (refused) {
      const accepted = from + results.filter(({ problem }) => problem === undefined).length
      throw again(refused, accepted, count, namesAt(from + at))
    }
  }
  return ids
}

function check(send: FaceSend, names: FieldNames): void {
  try {
    parseBody(NewEmail, send)
  } catch (error) {
    if (!(error instanceof Problem) || !error.extras.errors) throw error
    const { errors, ...extras } = error.extras
    throw error.kind(error.detail, { ...extras, errors: withNames(errors, names) })
  }
}

/** The problem of one email as that of the request. */
function again(document: ProblemDocument, accepted: number, count: number, names: FieldNames): Problem {
  const kind = problemKinds().find(({ code }) => code === document.code)
  if (!kind) throw new Error(`There is no problem ${document.code}.`)
  const { errors } = ofItem(document, names)
  const sentence = accepted > 0 ? ` ${accepted} of ${count} emails were accepted and are not to be sent again.` : ""
  const detail = `${document.detail ?? ""}${sentence}`
  return kind(detail, errors ? { errors } : {})
}

/** The problem of an item of a batch, with pointers into the email that the caller has written. */
export function ofItem(document: ProblemDocument, names: FieldNames): ProblemDocument {
  const errors = document.errors?.map(({ pointer, detail }) => ({
    pointer: pointer.replace(/^\/items\/\d+/, ""),
    detail,
  }))
  return errors ? { ...document, errors: withNames(errors, names) } : document
}
