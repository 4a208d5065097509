import { handleAuth } from "@/lib/access/credentials/auth-handler"
import { sessionCookieName } from "@/lib/access/credentials/session"

export type From = { ip?: string; cookie?: string; headers?: Record<string, string> }

/** Signs in or out as the pages do; `cookie` is that of the session, or empty. */
export async function signIn(fields: Record<string, unknown>, from: From = {}, by = "password") {
  const csrf = await handleAuth(authRequest("GET", "csrf"))
  const { csrfToken } = (await csrf.json()) as { csrfToken: string }
  const cookies = [...cookiesOf(csrf), from.cookie].filter(Boolean).join("; ")
  const headers = { cookie: cookies, ...(from.ip && { "x-client-ip": from.ip }), ...from.headers }
  const action = by === "signout" ? "signout" : `callback/${by}`
  const body = JSON.stringify({ csrfToken, ...fields })
  const response = await handleAuth(authRequest("POST", action, { headers, body }))
  const session = cookiesOf(response).find((cookie) => cookie.startsWith(`${sessionCookieName()}=`)) ?? ""
  const json = (await response.json()) as {
    url?: string
    code?: string
    title?: string
    detail?: string
    errors?: unknown
  }
  return { status: response.status, json, setCookie: response.headers.getSetCookie(), cookie: session }
}

type Asked = { headers?: Record<string, string>; body?: string }

/** A request to `/api/auth/<action>` from our own page; a header given as '' is left out. */
export function authRequest(method: string, action: string, { headers = {}, body }: Asked = {}): Request {
  const usual = method === "POST" ? { "content-type": "application/json", "sec-fetch-site": "same-origin" } : {}
  const all = Object.entries({ ...usual, "x-client-ip": "127.0.0.9", ...headers }).filter(([, value]) => value !== "")
  return new Request(`http://localhost:3000/api/auth/${action}`, { method, headers: Object.fromEntries(all), body })
}

function cookiesOf(response: Response): string[] {
  return response.headers.getSetCookie().map((cookie) => cookie.split(";")[0] ?? "")
}
