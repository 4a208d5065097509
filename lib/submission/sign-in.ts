import { guard } from "@/lib/access/guard"
import { recordRequest } from "@/lib/api-keys/usage/record"
import { sendEmail } from "@/lib/emails/send/api"
import { env } from "@/lib/platform/env/env"
import { asProblem } from "@/lib/platform/http/answer"
import type { Asked } from "@/lib/platform/http/endpoint"
import { newRequestId } from "@/lib/platform/http/perform"
import { type Problem, problemDocument } from "@/lib/platform/http/problem"
import type { KeyPrincipal, Principal, RequestInfo } from "@/lib/platform/http/scope"
import { replyToSignIn } from "@/lib/submission/replies"

/** Who has signed in: the key is checked again with each email. */
export type Submitter = { key: string; principal: KeyPrincipal }

/** The user name; the password is an API key. */
const userName = "apikey"

/**
 * The account of a user name and password, with the checks and the limit of failures that requests to the API have.
 * @throws SmtpRefusal
 */
export async function signIn(user: string, password: string, ip: string): Promise<Submitter> {
  const { uuid: id, text: requestId } = newRequestId()
  const startedAt = performance.now()
  // Another name is as good as no key: what it costs must not depend on the password.
  const key = user.trim().toLowerCase() === userName ? password.trim() : ""
  const asked = sendRequest(key, ip)
  const info = { id, ip, headers: asked.headers, signal: asked.signal }
  let principal: Principal | undefined
  try {
    principal = await guard.authenticate(asked, sendEmail, info)
    await guard.authorize(sendEmail, principal, { path: {}, query: new URLSearchParams() }, info)
    if (principal.kind !== "key") throw new TypeError("A session signs in by a cookie, which SMTP has not.")
    return { key, principal }
  } catch (error) {
    const problem = asProblem(error, requestId, "SMTP AUTH")
    recordRefusal(principal, problem, info, performance.now() - startedAt)
    throw replyToSignIn(problemDocument(problem, { baseUrl: env().baseUrl, requestId }))
  }
}

/** Notes what a key was refused before it came to the API, in the log of its project's requests. */
export function recordRefusal(
  principal: Principal | undefined,
  problem: Problem,
  info: RequestInfo,
  durationMs: number,
): void {
  const told = { principal, problem, info, status: problem.kind.status, facts: { made: [] }, notice: null }
  recordRequest({ ...told, endpoint: sendEmail, durationMs })
}

/** The request to the API that sends this body with the key. */
export function sendRequest(key: string, ip: string, body = Buffer.alloc(0)): Asked {
  const headers = new Map([
    ["authorization", `Bearer ${key}`],
    ["content-type", "application/json"],
    ["content-length", String(body.length)],
    ["x-client-ip", ip],
  ])
  return {
    url: new URL("/v1/emails", env().baseUrl).href,
    method: "POST",
    // An email whose client has gone is sent: the client repeats it, and is told the same.
    signal: new AbortController().signal,
    headers: { get: (name) => headers.get(name) ?? null },
    body: null,
    readAtMost: () => Promise.resolve(body),
  }
}
