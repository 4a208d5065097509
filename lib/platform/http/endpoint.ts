import type { z } from "zod"
import type { IdPrefix } from "@/lib/platform/ids"
import type { Io } from "@/lib/platform/io"
import type { ProblemKind } from "@/lib/platform/http/problem"
import type { OrganizationScope, RequestInfo, Scope } from "@/lib/platform/http/scope"

export type Method = "GET" | "POST" | "PUT" | "PATCH" | "DELETE"

/** The heading of an operation: it types its path parameters and finds it everywhere with one search. */
export type Route = `${Method} /${string}`

type PathOf<R extends Route> = R extends `${Method} ${infer Path}` ? Path : never
type Names<Path extends string> = Path extends `${string}{${infer Name}}${infer Rest}` ? Name | Names<Rest> : never
export type PathParams<R extends Route> = Names<PathOf<R>>

/** Who may call: holders of any one of these permissions; `session` operations are for signed-in people alone. */
export type Access =
  | {
      credential: "any" | "session"
      anyOf: readonly string[]
      /** What a signed-in person needs, where it differs. */
      session?: readonly string[]
      roles?: readonly string[]
    }
  | { credential: "none"; scheme?: "streamToken" }

/** So many requests in a window that opens with the first one, counted per key and policy. */
export type Bucket = { policy: string; requests: number; seconds: number }

/** How an id in the path is read, and which problem speaks when it names nothing. */
export type PathId = { prefix: IdPrefix; missing: ProblemKind }

type Query = Record<string, z.ZodType>
type Answer = readonly [status: number, schema?: z.ZodType, contentType?: string]

type QueryValues<Q extends Query> = { [K in keyof Q]: z.output<Q[K]> }
type BodyValue<B> = B extends z.ZodType ? z.output<B> : undefined
type Result<A extends Answer> = A[1] extends z.ZodType ? z.output<A[1]> : void

export type Input<R extends Route, Q extends Query, B> = {
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
  /** Markdown for the reference: what it does, what was chosen where the specification is silent. */
  description?: string
  access: Access
  bucket: Bucket | null
  path?: Partial<Record<PathParams<R>, PathId>>
  query?: Q
  body?: B
  /**
   * Refuses query parameters that are not declared, for they may be meant to narrow or to try what is done. Every DELETE
   * does; here for others.
   */
  strictQuery?: true
  /** It acts on all there is: a body, by which a caller may mean to choose, is refused unless it is empty or `{}`. */
  actsOnAll?: true
  /** Decoded size of the body at most; 1 MiB where nothing is said, 16 KiB without a credential. */
  bodyBytesMax?: number
  /** The body is read by `run` itself, as a stream of this type. */
  bodyStream?: string
  answers: A
  /** Further success statuses without a body, such as 204 beside 200. */
  orEmpty?: number
  /** `Location` of a 201: a path with the names of the answer's fields and the path parameters in braces. */
  location?: string
  problems: readonly ProblemKind[]
  /** Offered beyond the published contract. */
  additive?: boolean
}

type Run<S, R extends Route, Q extends Query, B, A extends Answer> = (
  scope: S,
  input: Input<R, Q, B>,
  io: Io,
) => Promise<Result<A> | Reply>

/** One operation of the API as one value. See README, "How to add an endpoint". */
export type Endpoint<
  R extends Route = Route,
  Q extends Query = Query,
  B extends z.ZodType | undefined = z.ZodType | undefined,
  A extends Answer = Answer,
> = Common<R, Q, B, A> & {
  reach: "project" | "organization" | "public"
  // Type parameters are kept by Common; inside the kernel an operation takes what the kernel has parsed for it.
  run: (scope: never, input: never, io: Io) => Promise<unknown>
  recover?: (scope: never, body: unknown) => Promise<Reply | null>
}

/**
 * Asked before an invalid body is refused: an operation that promises the same answer to a repeated request can give it
 * here, whatever the rest of the body says.
 */
type Recover<S> = { recover?: (scope: S, body: unknown) => Promise<Reply | null> }

/** An operation on one project: the path's, the key's, or the session's `projectId` query. */
export function endpoint<
  R extends Route,
  A extends Answer,
  Q extends Query = {},
  B extends z.ZodType | undefined = undefined,
>(declaration: Common<R, Q, B, A> & { run: Run<Scope, R, Q, B, A> } & Recover<Scope>): Endpoint<R, Q, B, A> {
  return { ...declaration, reach: "project" }
}

/** An operation on what stands above projects. */
export function organizationEndpoint<
  R extends Route,
  A extends Answer,
  Q extends Query = {},
  B extends z.ZodType | undefined = undefined,
>(declaration: Common<R, Q, B, A> & { run: Run<OrganizationScope, R, Q, B, A> }): Endpoint<R, Q, B, A> {
  return { ...declaration, reach: "organization" }
}

/** An operation without a credential of the API: what it takes instead is its own to check. */
export function publicEndpoint<
  R extends Route,
  A extends Answer,
  Q extends Query = {},
  B extends z.ZodType | undefined = undefined,
>(declaration: Common<R, Q, B, A> & { run: Run<{ request: RequestInfo }, R, Q, B, A> }): Endpoint<R, Q, B, A> {
  return { ...declaration, reach: "public" }
}

/** The request whose body an operation with `bodyStream` reads itself: the kernel hands it over in the body's place. */
export function requestOf(input: { body: undefined }): Request {
  return input.body as unknown as Request
}

/** An answer that is not the plain one: another status, further headers, or a stream. */
export class Reply {
  constructor(
    readonly status: number,
    readonly options: { headers?: Record<string, string>; value?: unknown; stream?: BodyInit } = {},
  ) {}
}

export function methodOf(endpoint: { route: Route }): Method {
  return endpoint.route.slice(0, endpoint.route.indexOf(" ")) as Method
}

export function pathOf(endpoint: { route: Route }): string {
  return endpoint.route.slice(endpoint.route.indexOf(" ") + 1)
}
