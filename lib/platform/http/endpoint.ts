import type { z } from "zod"
import type { IdPrefix } from "@/lib/platform/ids"
import type { Io } from "@/lib/platform/io"
import type { ProblemKind } from "@/lib/platform/http/problem"
import type { OrganizationScope, RequestInfo, Scope } from "@/lib/platform/http/scope"

type Method = "GET" | "POST" | "PUT" | "PATCH" | "DELETE"

/** Method and path of an operation. It types the path parameters, and one search finds the operation everywhere. */
export type Route = `${Method} /${string}`

type PathOf<R extends Route> = R extends `${Method} ${infer Path}` ? Path : never
type Names<Path extends string> = Path extends `${string}{${infer Name}}${infer Rest}` ? Name | Names<Rest> : never
export type PathParams<R extends Route> = Names<PathOf<R>>

/**
 * Who may call: credentials with any one of these permissions; `session` operations are for signed-in people only, `key` operations
 * for API keys only.
 */
export type Access =
  | {
      credential: "any" | "session" | "key"
      anyOf: readonly string[]
      /** What a signed-in person needs, where it differs. */
      session?: readonly string[]
      roles?: readonly string[]
      /** For who runs the installation; to everybody else nothing lives there. */
      operator?: boolean
    }
  | { credential: "none"; scheme?: "streamToken" }

/** An operation that will go: since when that is announced, until when it is served at least, and the page that says what to use instead. */
export type Deprecation = { since: Date; sunset: Date; page: `/${string}` }

/** A rate limit: so many requests in a window that begins with the first one, counted per key and policy. */
export type Bucket = { policy: string; requests: number; seconds: number }

/** The prefix of an id in the path, and the problem thrown when nothing has that id. */
export type PathId = { prefix: IdPrefix; missing: ProblemKind }

type Query = Record<string, z.ZodType>
type Answer = readonly [status: number, schema?: z.ZodType, contentType?: string]

type QueryValues<Q extends Query> = { [K in keyof Q]: z.output<Q[K]> }
type BodyValue<B> = B extends z.ZodType ? z.output<B> : undefined
type Result<A extends Answer> = A[1] extends z.ZodType ? z.output<A[1]> : void

type Input<R extends Route, Q extends Query, B> = {
  /** Ids of the path, decoded to uuids; other parameters as text. */
  path: Record<PathParams<R>, string>
  query: QueryValues<Q>
  body: BodyValue<B>
}

type Common<R extends Route, Q extends Query, B extends z.ZodType | undefined, A extends Answer> = {
  route: R
  /** The name of the operation in the reference. */
  operationId: string
  tag: string
  summary: string
  /** Markdown for the reference: what the operation does, and decisions that a caller needs to know. */
  description?: string
  access: Access
  bucket: Bucket | null
  /**
   * `run` counts the request with a statement that it makes anyway (`scope.request.count`), where the body is small and the
   * window not known to be full; the kernel counts all others, and those that never come so far. `problems` has the 429 then.
   */
  countsInRun?: true
  path?: Partial<Record<PathParams<R>, PathId>>
  query?: Q
  body?: B
  /**
   * Refuses undeclared query parameters, since a caller may believe that they narrow what is done. Every DELETE does so
   * without this.
   */
  strictQuery?: true
  /** Acts on everything: a body, with which a caller may mean to select, is refused unless it is empty or `{}`. */
  actsOnAll?: true
  /** The body, or each item of it, may have an `idempotencyKey`. */
  idempotent?: true
  /** `run` reads the header `Idempotency-Key`, which our own API does not. */
  readsIdempotencyKeyHeader?: true
  /** Largest decoded body; 1 MiB by default, 16 KiB without a credential. */
  bodyBytesMax?: number
  /** Names and values of the body; 200,000 unless it is a long list of small rows. */
  bodyPartsMax?: number
  /**
   * The list of the body whose items `run` checks one by one, their text included, so that a fault of one refuses that one alone;
   * `""` where the body is the list.
   */
  checksItemsOf?: string
  /** Media type of a body that `run` reads itself as a stream. */
  bodyStream?: string
  answers: A
  /** Further success statuses without a body, such as 204 beside 200. */
  orEmpty?: number
  /** The same answer in another media type, for operations that offer a choice. */
  orAnswer?: { contentType: string; schema: z.ZodType }
  /** `Location` of a 201: a path with the names of the answer's fields and the path parameters in braces. */
  location?: string
  problems: readonly ProblemKind[]
  /** Also for a deleted project, as long as it can be restored; for signed-in users alone. */
  reachesDeleted?: true
  /** Pages of other origins may read the answer: its credential is in the request itself, never a cookie. */
  crossOrigin?: true
  /** A GET that answers once, or not at an end: it has no HEAD. */
  noHead?: true
  /** Offered beyond the published contract. */
  additive?: boolean
  deprecated?: Deprecation
  /** A call as people make it, for the reference; without one it is the least that the schemas accept. */
  example?: Example<B>
}

type Example<B> = {
  path?: Record<string, string>
  query?: Record<string, string>
  body?: B extends z.ZodType ? z.input<NoInfer<B>> : undefined
}

type Run<S, R extends Route, Q extends Query, B, A extends Answer> = (
  scope: S,
  input: Input<R, Q, B>,
  io: Io,
) => Promise<Result<A> | Reply>

/** One operation of the API as one value. See lib/README.md, "How to add things". */
export type Endpoint<
  R extends Route = Route,
  Q extends Query = Query,
  B extends z.ZodType | undefined = z.ZodType | undefined,
  A extends Answer = Answer,
> = Common<R, Q, B, A> & {
  reach: "project" | "organization" | "public"
  // Common has the type parameters; here `run` takes whatever the kernel has parsed for it.
  run: (scope: never, input: never, io: Io) => Promise<unknown>
  recover?: (scope: never, body: unknown) => Promise<Reply | null>
}

/**
 * Called before an invalid body is refused: an operation that promises the same response to a repeated request can
 * return it here, whatever else the body contains.
 */
type Recover<S> = { recover?: (scope: S, body: unknown) => Promise<Reply | null> }

/** An operation on one project: the path's, the key's, or the session's `projectId` query. */
export function endpoint<
  R extends Route,
  A extends Answer,
  Q extends Query = {},
  B extends z.ZodType | undefined = undefined,
>(declaration: Common<R, Q, B, A> & { run: Run<Scope, R, Q, B, A> } & Recover<Scope>): Endpoint<R, Q, B, A> {
  return { ...declaration, run: nameAfter(declaration), reach: "project" }
}

/** An operation on organizations, above any project. */
export function organizationEndpoint<
  R extends Route,
  A extends Answer,
  Q extends Query = {},
  B extends z.ZodType | undefined = undefined,
>(declaration: Common<R, Q, B, A> & { run: Run<OrganizationScope, R, Q, B, A> }): Endpoint<R, Q, B, A> {
  return { ...declaration, run: nameAfter(declaration), reach: "organization" }
}

/** An operation without an API credential: it checks whatever it takes instead. */
export function publicEndpoint<
  R extends Route,
  A extends Answer,
  Q extends Query = {},
  B extends z.ZodType | undefined = undefined,
>(declaration: Common<R, Q, B, A> & { run: Run<{ request: RequestInfo }, R, Q, B, A> }): Endpoint<R, Q, B, A> {
  return { ...declaration, run: nameAfter(declaration), reach: "public" }
}

/** `run` under the name of its operation, which a stack trace shows instead of 147 times `run`. */
function nameAfter<R>({ operationId, run }: { operationId: string; run: R }): R {
  return Object.defineProperty(run, "name", { value: operationId })
}

/** The request of an operation with `bodyStream`, which the kernel passes instead of a parsed body. */
export function requestOf(input: { body: undefined }): Asked {
  return input.body as unknown as Asked
}

/** What is sent as it is, instead of as JSON. */
export type AnswerBody = string | Uint8Array<ArrayBuffer> | ReadableStream<Uint8Array>

/** A response other than the declared default: another status, further headers, or a stream. */
export class Reply {
  constructor(
    readonly status: number,
    readonly options: { headers?: Record<string, string>; value?: unknown; stream?: AnswerBody } = {},
  ) {}
}

export function methodOf(endpoint: { route: Route }): Method {
  return endpoint.route.slice(0, endpoint.route.indexOf(" ")) as Method
}

export function pathOf(endpoint: { route: Route }): string {
  return endpoint.route.slice(endpoint.route.indexOf(" ") + 1)
}

/** Whose body is received, and its place among those in memory. */
export type Receiving = {
  /** Whose large bodies share a pace. */
  owner: string
  /** Makes room for octets that no header announced. @throws serviceUnavailable */
  grow(bytes: number): void
}

/** What an operation reads of a request. A `Request` is one; the web server makes one of Node's own, which costs less. */
export type Asked = Pick<Request, "url" | "method" | "signal"> & {
  body: ReadableStream<Uint8Array> | null
  headers: Pick<Headers, "get">
  /**
   * The whole body, for a mount that has a cheaper way than the stream `body`. What `receiving` throws ends it.
   * @throws requestTooLarge beyond `bytesMax`, requestTimeout after `waitMs`
   */
  readAtMost?(bytesMax: number, waitMs: number, receiving?: Receiving): Promise<Uint8Array>
}

// What an answer tells its caller beside the result, in the header `Mailroom-Notice`.

export const noticeCodes = ["idempotency_key_unread", "idempotency_unsupported"] as const
export type NoticeCode = (typeof noticeCodes)[number]

export const noticeTexts: Record<NoticeCode, string> = {
  idempotency_key_unread: "Idempotency-Key is not read; use idempotencyKey",
  idempotency_unsupported: "Idempotency-Key is not read; this operation has no idempotencyKey",
}

/** Many services read the header; here a caller who relies on it would send twice without knowing. */
export function noticeOf(endpoint: Endpoint, asked: Pick<Asked, "headers">): NoticeCode | null {
  if (
    endpoint.readsIdempotencyKeyHeader ||
    methodOf(endpoint) === "GET" ||
    asked.headers.get("idempotency-key") === null
  )
    return null
  return endpoint.idempotent ? "idempotency_key_unread" : "idempotency_unsupported"
}

/** Whether the body, or each item of a batch, has an `idempotencyKey`. */
export function givesIdempotencyKey(body: unknown): boolean {
  if (typeof body !== "object" || body === null) return false
  const items = Array.isArray(body) ? body : Object.values(body).find(Array.isArray)
  if (hasKey(body)) return true
  return Array.isArray(items) && items.length > 0 && items.every(hasKey)
}

function hasKey(value: unknown): boolean {
  if (typeof value !== "object" || value === null) return false
  return typeof (value as { idempotencyKey?: unknown }).idempotencyKey === "string"
}
