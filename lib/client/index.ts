import createClient, { type Client } from "openapi-fetch"
import type { components, paths, ProblemCode } from "./schema.js"

export type { components, paths, ProblemCode }

/** A problem document (RFC 9457), as every error answer is one. Codes may be added at any time. */
export type ApiProblem = components["schemas"]["ApiProblem"] & { code: ProblemCode | (string & {}) }

export type EmailToSend = components["schemas"]["SendEmailRequest"]
export type AcceptedEmail = components["schemas"]["SendEmailResponse"]

/** An answer that is an error: its problem, with a pointer to each invalid field. */
export class MailroomError extends Error {
  override readonly name = "MailroomError"

  constructor(
    readonly problem: ApiProblem,
    /** Whole seconds to wait before the request may succeed. */
    readonly retryAfterSeconds: number | undefined,
  ) {
    super(`${problem.code}: ${problem.detail ?? problem.title}`)
  }
}

export type MailroomOptions = {
  /** Address of the installation, such as `https://mailroom.acme.dev`. */
  baseUrl: string
  apiKey: string
  fetch?: (request: Request) => Promise<Response>
  /** How often a send that was not answered, or told to wait for up to a minute, is repeated. */
  retries?: number
}

type Fetched<T> = { data?: T; error?: unknown; response: Response }
type Page<T> = { data: T[]; page?: { hasNextPage: boolean }; cursor?: { nextCursor?: string | null } }
type PageOf = { page?: number; size?: number; after?: string }

export type MailroomClient = {
  /** Every operation by method and path, typed: `api.GET("/v1/emails/{emailId}", …)` resolves to `{ data, error }`. */
  api: Client<paths>
  /** Sends an email once, however often the request has to be repeated. @throws MailroomError */
  send(email: EmailToSend): Promise<AcceptedEmail>
  /** The data of an answer. @throws MailroomError */
  data<T>(answer: Promise<Fetched<T>>): Promise<T>
  /** Every item of a list, page after page: pass on the query that `read` is given. @throws MailroomError */
  items<T>(read: (query: PageOf) => Promise<Fetched<Page<T>>>): AsyncGenerator<T, void, undefined>
}

export function createMailroom({ baseUrl, apiKey, fetch, retries = 4 }: MailroomOptions): MailroomClient {
  const headers = { Authorization: `Bearer ${apiKey}` }
  const api = createClient<paths>({ baseUrl, headers, ...(fetch ? { fetch } : {}) })
  return {
    api,
    data: dataOf,
    items: itemsOf,
    send: (email) => {
      // The same key with each attempt: a repeated request answers with the first email.
      const body = { ...email, idempotencyKey: email.idempotencyKey ?? crypto.randomUUID() }
      return repeated(() => dataOf(api.POST("/v1/emails", { body })), retries)
    },
  }
}

async function dataOf<T>(answer: Promise<Fetched<T>>): Promise<T> {
  const { data, error, response } = await answer
  if (response.ok) return data as T
  const seconds = Number(response.headers.get("Retry-After") ?? Number.NaN)
  throw new MailroomError(problemOf(error, response), Number.isFinite(seconds) ? seconds : undefined)
}

/** What is between us and Mailroom may answer in its own way. */
function problemOf(error: unknown, { status, statusText }: Response): ApiProblem {
  if (typeof error === "object" && error !== null && "code" in error) return error as ApiProblem
  return { type: "about:blank", title: statusText || "No problem document", status, code: "service.unavailable" }
}

async function* itemsOf<T>(read: (query: PageOf) => Promise<Fetched<Page<T>>>): AsyncGenerator<T, void, undefined> {
  let query: PageOf | undefined = { size: 100 }
  for (let number = 1; query !== undefined; number++) {
    const { data, page, cursor }: Page<T> = await dataOf(read(query))
    yield* data
    if (cursor?.nextCursor) query = { size: 100, after: cursor.nextCursor }
    else query = page?.hasNextPage ? { size: 100, page: number + 1 } : undefined
  }
}

/** Whoever is told to wait for longer, as for the next day's quota, learns that at once instead of hanging for hours. */
const waitSecondsMax = 60

/** A request that had no answer, or is told to come back soon, is repeated after what it is told, or 1, 2, 4 … seconds. */
async function repeated<T>(ask: () => Promise<T>, retries: number): Promise<T> {
  for (let attempt = 0; ; attempt++) {
    try {
      return await ask()
    } catch (error) {
      const isOurs = error instanceof MailroomError
      if (attempt >= retries || (isOurs && ![429, 502, 503, 504].includes(error.problem.status))) throw error
      const seconds = (isOurs ? error.retryAfterSeconds : undefined) ?? 2 ** attempt
      if (isOurs && seconds > waitSecondsMax) throw error
      await new Promise((resolve) => setTimeout(resolve, seconds * 1_000))
    }
  }
}
