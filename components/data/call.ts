import type { Api } from "@/lib/api/registry"
import type { ProblemDocument } from "@/lib/platform/http/problem"

/** Calls the API as the signed-in person. @throws ApiProblem when it refuses, TypeError when it cannot be reached */
export async function call<R extends ApiRoute>(
  route: R,
  input: CallInput<R>,
  signal?: AbortSignal,
): Promise<CallAnswer<R>> {
  const { method, address } = addressOf(route, input)
  const body = input.body === undefined ? undefined : JSON.stringify(input.body)
  const response = await fetch(address, {
    method,
    credentials: "same-origin",
    headers: { Accept: "application/json", ...(body === undefined ? {} : { "Content-Type": "application/json" }) },
    ...(body === undefined ? {} : { body }),
    ...(signal ? { signal } : {}),
  }).catch((error: unknown) => {
    throw error instanceof TypeError ? unreachable() : error
  })
  if (!response.ok) throw refused((await response.json()) as ProblemDocument)
  noteSignedOut(false)
  // A 202 may have no body either.
  const text = await response.text()
  return (text === "" ? null : JSON.parse(text)) as CallAnswer<R>
}

/**
 * A page that was open when the session ended says so; one that was open when the organization began to require a second factor
 * leads to where one sets it up.
 */
export function refused(problem: ProblemDocument): ApiProblem {
  if (problem.code === "auth.missing_credentials") {
    noteSignedOut(true)
    return new ApiProblem({ ...problem, title: "You are signed out", detail: "You are signed out. Sign in again." })
  }
  if (problem.code === "auth.second_factor_required") {
    const { pathname, search } = window.location
    window.location.assign(`/second-factor?callbackUrl=${encodeURIComponent(pathname + search)}`)
  }
  return new ApiProblem(problem)
}

/** A call that was refused: carries the problem document of the API. */
export class ApiProblem extends Error {
  constructor(readonly problem: ProblemDocument) {
    super(problem.detail ?? problem.title)
    this.name = "ApiProblem"
  }
}

/** The problem of any error: the answer of the API, or that the API is unreachable. */
export function problemOf(error: unknown): ProblemDocument {
  if (error instanceof ApiProblem) return error.problem
  return {
    type: "about:blank",
    code: "network.unreachable",
    status: 0,
    title: "The service is unreachable",
    detail: "Check the connection and try again.",
  }
}

/** In our words: the browser's own, such as "Failed to fetch", say nothing to a person. */
export function unreachable(): TypeError {
  return new TypeError(problemOf(null).title)
}

export type ApiRoute = keyof Api & string
export type GetRoute = Extract<ApiRoute, `GET ${string}`>

type Optional<T> = [keyof T] extends [never] ? true : false

/** What a call of a route takes: path parameters where it has some, query and body. */
export type CallInput<R extends ApiRoute> = {
  query?: Api[R]["query"]
  body?: Api[R]["body"]
} & (Optional<Api[R]["params"]> extends true ? { params?: undefined } : { params: Api[R]["params"] })

export type CallAnswer<R extends ApiRoute> = Api[R]["answer"]

/** Method and address of a route with its braces filled. */
export function addressOf(route: string, input: { params?: Record<string, string>; query?: Record<string, unknown> }) {
  const [method = "GET", template = "/"] = route.split(" ")
  const path = template.replaceAll(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(input.params?.[name] ?? ""))
  const search = new URLSearchParams()
  for (const [name, value] of Object.entries(input.query ?? {})) {
    if (value !== undefined && value !== null && value !== "") search.set(name, String(value))
  }
  return { method, path, search, address: search.size ? `${path}?${search}` : path }
}

let isOut = false
const listeners = new Set<() => void>()

/** Whether the last answer said that nobody is signed in: the session has ended, or was ended in another tab. */
export const isSignedOut = () => isOut

export function noteSignedOut(now: boolean) {
  if (now === isOut) return
  isOut = now
  listeners.forEach((tell) => tell())
}

export function subscribeToSignedOut(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}
