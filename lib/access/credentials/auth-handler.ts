import {
  databaseUnavailable,
  runAuth,
  wantedPath,
  type AuthOutcome,
  type AuthRequest,
  type AuthResponse,
  secondStepCookie,
} from "@/lib/access/credentials/auth"
import { configuredProviders } from "@/lib/access/credentials/identity-providers"
import {
  crossOrigin,
  secondStepExpired,
  secondStepRefused,
  secondStepRequired,
  signInRefused,
} from "@/lib/access/problems"
import { sameOrigin } from "@/lib/access/credentials/session"
import { env } from "@/lib/platform/env/env"
import { log } from "@/lib/platform/log"
import { newRequestId } from "@/lib/platform/http/perform"
import { Problem } from "@/lib/platform/http/problem"
import {
  internalError,
  pathNotFound,
  requestTooLarge,
  serviceUnavailable,
  unsupportedMediaType,
} from "@/lib/platform/http/problems"
import { answerProblem } from "@/lib/platform/http/answer"
import { isUnavailable } from "@/lib/platform/database/sql-errors"

const defaultBodyBytesMax = 16_384
/** What next-auth serves here; its own pages and its session endpoint are not used. */
const actions = [
  "GET csrf",
  "POST callback/password",
  "POST callback/link",
  "POST callback/second-step",
  "POST callback/passkey",
  "POST signout",
]
/** The parameters of a provider's redirect; all others are ignored. */
const answerParts = ["code", "state", "iss", "error"]

/**
 * Sign-in and sign-out: `/api/auth/<action>`, through next-auth. Answers JSON; refusals are problems, all alike. The
 * redirect back from an identity provider leads to a page of ours.
 */
export async function handleAuth(request: Request): Promise<Response> {
  const { text: requestId } = newRequestId()
  try {
    return await answer(request, requestId)
  } catch (error) {
    if (error instanceof Problem) return answerProblem(error, requestId)
    if (isUnavailable(error)) return answerProblem(unavailable(), requestId)
    log.error({ err: error, requestId }, "signing in failed")
    return answerProblem(internalError(), requestId)
  }
}

async function answer(request: Request, requestId: string): Promise<Response> {
  const action = new URL(request.url).pathname.split("/").slice(3)
  const name = `${request.method} ${action.join("/")}`
  if (configuredProviders().some(({ id }) => name === `GET callback/${id}`)) return comeBack(request, action)
  const begins = configuredProviders().some(({ id }) => name === `POST signin/${id}`)
  if (!begins && !actions.includes(name)) throw pathNotFound()
  if (request.method === "POST" && !sameOrigin(request)) throw crossOrigin()
  const body = request.method === "POST" ? await readFields(request) : {}
  const answered = new Answered()
  const given = asked(request, action, body)
  const outcome = begins ? await runWithProvider(given, answered) : await runAuth(given, answered)
  if (outcome.providerUnreachable) throw providerUnreachable()
  const { secondStepToken, secondStep } = outcome
  if (secondStepToken) return withSecondStep(answerProblem(secondStepRequired(), requestId), secondStepToken)
  if (secondStep === "refused") throw secondStepRefused()
  if (secondStep === "expired") return withSecondStep(answerProblem(secondStepExpired(), requestId), null)
  if (answered.url?.includes("error=CredentialsSignin")) throw signInRefused()
  if (answered.url?.includes(`error=${databaseUnavailable}`)) throw unavailable()
  if (answered.code >= 400)
    throw new Error(`next-auth answered ${answered.code} to ${action.join("/")}: ${answered.url}`)
  // next-auth says so of a CSRF token that is missing or not this browser's.
  if (answered.url?.includes("csrf=true")) throw crossOrigin()
  if (begins && isOurs(answered.url)) throw providerUnreachable()
  const response = answered.toResponse()
  return name === "POST callback/second-step" ? withSecondStep(response, null) : response
}

/** Has the browser keep the token of a sign-in that waits for the second step, or forget it. */
function withSecondStep(response: Response, token: string | null): Response {
  response.headers.append("Set-Cookie", secondStepCookie(token))
  return response
}

/**
 * For all that is asked of a provider, which is up to four requests. next-auth ends each after 3.5 s without a byte; who sends
 * bytes without end is not waited for either.
 */
const providerWaitMs = 10_000

async function runWithProvider(request: AuthRequest, answered: Answered): Promise<AuthOutcome> {
  const late = AbortSignal.timeout(providerWaitMs)
  const over = new Promise<AuthOutcome>((resolve) =>
    late.addEventListener("abort", () => resolve({ providerUnreachable: true })),
  )
  return Promise.race([runAuth(request, answered, late), over])
}

function providerUnreachable(): Problem {
  return serviceUnavailable("The identity provider did not answer. Try again, or sign in another way.", {
    retryAfterSeconds: 5,
  })
}

function unavailable(): Problem {
  return serviceUnavailable(undefined, { retryAfterSeconds: 1 })
}

/** Handles the redirect back from the identity provider; every refusal leads to the same page. */
async function comeBack(request: Request, action: string[]): Promise<Response> {
  const answered = new Answered()
  const { searchParams } = new URL(request.url)
  const parts = answerParts.flatMap((name) => (searchParams.has(name) ? [[name, searchParams.get(name) ?? ""]] : []))
  const given = { ...asked(request, action, {}), query: { ...Object.fromEntries(parts), nextauth: action }, body: {} }
  const { secondStepToken, providerUnreachable: isUnreachable } = await runWithProvider(given, answered)
  if (isUnreachable) return answered.toRedirect(`${env().baseUrl}/sign-in?unreachable`)
  if (secondStepToken) {
    const query = new URLSearchParams({ "second-step": "", callbackUrl: wantedPath(given) })
    return withSecondStep(answered.toRedirect(`${env().baseUrl}/sign-in?${query.toString()}`), secondStepToken)
  }
  const location = answered.getHeader("location")
  const refused = typeof location !== "string" || isOurs(location)
  return answered.toRedirect(refused ? `${env().baseUrl}/sign-in?refused` : location)
}

/** next-auth's own pages, which are not served: it redirects there on errors. */
function isOurs(location: string | undefined): boolean {
  return location === undefined || location.startsWith(`${env().baseUrl}/api/auth`)
}

function asked(request: Request, action: string[], body: Record<string, string>): AuthRequest {
  return {
    method: request.method,
    query: { nextauth: action },
    cookies: cookiesOf(request.headers.get("cookie") ?? ""),
    headers: Object.fromEntries(request.headers),
    body: { ...body, json: "true" },
  }
}

function cookiesOf(header: string): Record<string, string> {
  const pairs = header
    .split(";")
    .map((pair) => pair.trim())
    .filter((pair) => pair.includes("="))
  return Object.fromEntries(
    pairs.map((pair) => [pair.slice(0, pair.indexOf("=")), decoded(pair.slice(pair.indexOf("=") + 1))]),
  )
}

function decoded(value: string): string {
  try {
    return decodeURIComponent(value)
  } catch {
    return value
  }
}

/** Only text is accepted: an object is not a password. */
async function readFields(request: Request): Promise<Record<string, string>> {
  if (!/^application\/json\s*(;|$)/i.test(request.headers.get("content-type") ?? "")) throw unsupportedMediaType()
  if (Number(request.headers.get("content-length") ?? 0) > defaultBodyBytesMax) throw requestTooLarge()
  const bytes = await readAtMost(request)
  try {
    const given: unknown = JSON.parse(bytes.toString("utf8"))
    return Object.fromEntries(
      Object.entries(given ?? {}).filter((field): field is [string, string] => typeof field[1] === "string"),
    )
  } catch {
    return {}
  }
}

async function readAtMost(request: Request): Promise<Buffer> {
  const chunks: Uint8Array[] = []
  let length = 0
  for await (const chunk of request.body ?? []) {
    length += chunk.byteLength
    if (length > defaultBodyBytesMax) throw requestTooLarge()
    chunks.push(chunk)
  }
  return Buffer.concat(chunks)
}

/** Collects the response of next-auth. */
class Answered implements AuthResponse {
  code = 200
  url: string | undefined
  private body: unknown = {}
  private readonly headers = new Map<string, string | string[]>()

  status(code: number) {
    this.code = code
    return this
  }
  setHeader(name: string, value: string | string[]) {
    this.headers.set(name.toLowerCase(), value)
  }
  getHeader(name: string) {
    return this.headers.get(name.toLowerCase())
  }
  json(value: unknown) {
    this.body = value
    this.url = (value as { url?: string }).url
  }
  send(body: unknown) {
    this.body = body
  }
  end() {}

  toResponse(): Response {
    const headers = { "Cache-Control": "no-store", "X-Content-Type-Options": "nosniff" }
    return this.withCookies(Response.json(this.body, { status: this.code, headers }))
  }

  toRedirect(location: string): Response {
    return this.withCookies(
      new Response(null, { status: 303, headers: { "Cache-Control": "no-store", Location: location } }),
    )
  }

  private withCookies(response: Response): Response {
    for (const cookie of [this.headers.get("set-cookie") ?? []].flat()) response.headers.append("Set-Cookie", cookie)
    return response
  }
}
