import type { FaceName } from "@/lib/platform/env/fields"
import {
  type Asked,
  type Endpoint,
  pathOf,
  type Access,
  type Receiving,
  type Route,
} from "@/lib/platform/http/endpoint"
import { type FieldProblem, type ProblemDocument, Problem, problemKinds } from "@/lib/platform/http/problem"
import { missingPath, serve } from "@/lib/api/serve"
import { env } from "@/lib/platform/env/env"
import { type Answer, problemAnswer } from "@/lib/platform/http/answer"
import { pathTable } from "@/lib/platform/http/paths"
import { newRequestId, perform, parseBody } from "@/lib/platform/http/perform"
import { pathNotFound } from "@/lib/platform/http/problems"
import { handlerOf, type Handlers } from "@/lib/platform/http/serve"
import type { Api } from "@/lib/api/registry"
import { requirePermission } from "@/lib/access/authorize"
import { RequestCount } from "@/lib/access/limits/data"
import { permissionMissing, rateLimited } from "@/lib/access/problems"
import type { RequestInfo, Scope } from "@/lib/platform/http/scope"
import type { Io } from "@/lib/platform/io"
import { batchSendEmails } from "@/lib/emails/send/api"
import { bytesOf, refuseTooLarge } from "@/lib/emails/send/plan"
import { addressesMax, NewEmail } from "@/lib/emails/send/schema"
import { createTurns } from "@/lib/platform/jobs/turns"
import { z } from "zod"
import { splitAddresses } from "@/lib/emails/header-rules"

/**
 * The API of another service, for programs that use its SDK: its paths and fields, whose operations call ours. What it does not say
 * in a request is as in ours.
 */
export type Face = {
  name: FaceName
  operations: readonly Endpoint[]
  /** The API key, from where this service's SDKs send it. */
  keyOf(headers: Asked["headers"]): string | null
  /** A problem as this service would say it. */
  refusalOf(problem: ProblemDocument): FaceRefusal
  /** The body as JSON, where the service takes another form of it. @throws as `Asked.readAtMost` */
  readBody?(asked: Asked, bytesMax: number, receiving?: Receiving): Promise<Uint8Array>
}

export type FaceRefusal = { status: number; body: object; headers?: Record<string, string> }

/** The problem in one text: every fault with its pointer, or else the detail. */
export function messageOf({ detail = "", errors }: ProblemDocument): string {
  return errors ? errors.map(faultText).join(" ") : detail
}

export function faultText({ pointer, detail }: FieldProblem): string {
  return pointer === "" ? detail : `${pointer}: ${detail}`
}

/** The key of `Authorization: Bearer`. */
export function bearerKey(headers: Asked["headers"]): string | null {
  return /^bearer +(\S+)$/i.exec(headers.get("authorization") ?? "")?.[1] ?? null
}

/** The route handlers of everything below the path of a face. */
export function serveFace(face: Face): Handlers {
  const paths = [...new Set(face.operations.map(pathOf))]
  const find = pathTable(
    paths.map((path) => {
      const operations = face.operations.filter((operation) => pathOf(operation) === path)
      return [path.replace(/\{(\w+)\}/g, "[$1]"), serve(...operations)] as const
    }),
  )
  const handlers = Object.keys(missingPath).map((name) => {
    const method = name as keyof Handlers
    const answer = async (asked: Asked): Promise<Answer> => {
      if (!env().apiFaces.includes(face.name)) return shaped(face, problemAnswer(switchedOff(), newRequestId().text))
      const handler = (find(new URL(asked.url).pathname) ?? missingPath)[method]
      return shaped(face, await handler.answer(new FaceRequest(asked, face)))
    }
    return [method, handlerOf(answer)]
  })
  return Object.fromEntries(handlers) as Handlers
}

function switchedOff() {
  return pathNotFound("The operator of this installation has switched this API off (API_FACES).")
}

/** A problem in the shape that the service's SDKs read; what succeeded is in that shape already. */
function shaped(face: Face, answer: Answer): Answer {
  if (answer.headers["Content-Type"] !== "application/problem+json" || typeof answer.body !== "string") return answer
  const { status, body, headers = {} } = face.refusalOf(JSON.parse(answer.body) as ProblemDocument)
  const type = { "Content-Type": "application/json" }
  return { status, headers: { ...answer.headers, ...type, ...headers }, body: JSON.stringify(body) }
}

/** The request with its key where our API has it, and its body as JSON. A browser's session is none of these APIs' business. */
class FaceRequest implements Asked {
  readonly readAtMost: Asked["readAtMost"]

  constructor(
    private readonly asked: Asked,
    private readonly face: Face,
  ) {
    const { readBody } = face
    this.readAtMost = readBody
      ? (bytesMax, _waitMs, receiving) => readBody(asked, bytesMax, receiving)
      : asked.readAtMost?.bind(asked)
  }

  get url(): string {
    return this.asked.url
  }

  get method(): string {
    return this.asked.method
  }

  get signal(): AbortSignal {
    return this.asked.signal
  }

  get body(): ReadableStream<Uint8Array> | null {
    return this.asked.body
  }

  readonly headers = { get: (name: string): string | null => this.header(name.toLowerCase()) }

  private header(name: string): string | null {
    if (name === "cookie") return null
    if (name === "authorization") {
      const key = this.face.keyOf(this.asked.headers)
      return key === null ? null : `Bearer ${key}`
    }
    if (name === "content-type" && this.face.readBody) return "application/json"
    return this.asked.headers.get(name)
  }
}

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
  let batchBytes = 0
  for (let index = 0; index < count; index++) {
    if (index % groupMax === 0) batchBytes = 0
    batchBytes += bytesOf(check(sendAt(index), namesAt(index)))
    refuseTooLarge(batchBytes)
    await turn()
  }
  const ids: string[] = []
  for (let from = 0; from < count; from += groupMax) {
    if (from > 0) await countAgain(scope, batchSendEmails)
    const items: FaceSend[] = []
    for (let index = from; index < Math.min(from + groupMax, count); index++) {
      items.push(sendAt(index))
      await turn()
    }
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

function check(send: FaceSend, names: FieldNames): NewEmail {
  try {
    return parseBody(NewEmail, send)
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

/** A field of the service that is taken and has no effect here, with the reason. */
export function withoutEffect<S extends z.ZodType>(schema: S, reason: string) {
  return schema.optional().describe(`No effect: ${reason}`)
}

/** A field of the service that is refused, because an email without it would be another one. */
export function refused(reason: string) {
  return z.undefined(`Is not supported here: ${reason}`).optional().describe(`Refused: ${reason}`)
}

type Named = { name: string; path: (string | number)[] }

/** Refuses what is named twice where our field is an object, in which the second would take the place of the first. */
export function refuseRepeated(all: readonly Named[], context: z.RefinementCtx): void {
  const seen = new Set<string>()
  for (const { name, path } of all) {
    if (seen.has(name)) context.addIssue({ code: "custom", path, message: "Is given twice." })
    seen.add(name)
  }
}

/** Labels of ours from a list of words. */
export function labelsOf(words: readonly string[] = []): Record<string, string> {
  return Object.fromEntries(words.map((word) => [word, ""]))
}

/** An object without the fields that were not given. */
export function given<T extends object>(fields: T): { [K in keyof T]?: Exclude<T[K], undefined> } {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as never
}

/** Whether a text is the id of a template here, or else a name. */
export function templateRef(text: string): { id: string } | { name: string } {
  return /^tpl_[0-9a-z]{26}$/.test(text) ? { id: text } : { name: text }
}

/** Room for as many recipients as an email may have. */
export const addressListCharsMax = 100_000

/** The addresses of a list in one text; of too many, one more than is refused. */
export function addressList(text: string): string[] {
  return splitAddresses(text)
    .filter((address) => address !== "")
    .slice(0, addressesMax + 1)
}

/** An address with the name that is shown with it. */
export function mailbox({ email, name }: { email: string; name?: string | undefined }): string {
  return name ? `"${name.replace(/["\\]/g, "\\$&")}" <${email}>` : email
}
