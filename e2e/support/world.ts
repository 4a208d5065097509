import { setTimeout as sleep } from "node:timers/promises"
import { formBody } from "@/e2e/support/form-body"
import { encode } from "next-auth/jwt"
import { guard } from "@/lib/access/guard"
import { mintKey } from "@/lib/access/credentials/keys"
import { permissions as allPermissions, type Permission, type Role } from "@/lib/access/permissions"
import { sessionCookieName, sessionSecret } from "@/lib/access/credentials/session"
import { openSession } from "@/lib/access/credentials/data"
import { addKey } from "@/lib/api-keys/data"
import { endpoints } from "@/lib/api/registry"
import { pool } from "@/lib/platform/database/db"
import { methodOf, pathOf, type Endpoint, type Route } from "@/lib/platform/http/endpoint"
import { encodeId, newId } from "@/lib/platform/ids"
import { systemRandom, type Io } from "@/lib/platform/io"
import { createServe } from "@/lib/platform/http/serve"
import { found } from "@/lib/projects/installation/store"
import { systemIo } from "@/lib/regions/io"

/** A project of its own for a test, with its organization, owner and a key that may do everything. */
export type World = {
  organizationId: string
  userId: string
  /** uuid */
  projectId: string
  /** proj_… */
  project: string
  keyId: string
  apiKey: string
}

export async function newWorld(options: { region?: string; permissions?: readonly Permission[] } = {}): Promise<World> {
  const tag = newId().slice(-12)
  const founded = await found({
    email: `owner-${tag}@example.com`,
    passwordHash: "none",
    organization: `Organization ${tag}`,
    project: { name: `Project ${tag}`, slug: `project-${tag}`, region: options.region ?? "eu-west-1" },
  })
  if (!founded) throw new Error("The test's address was taken.")
  const key = await newKey(founded.projectId, options.permissions)
  return { ...founded, ...key, project: encodeId("proj", founded.projectId) }
}

export async function newKey(projectId: string, permissions: readonly Permission[] = allPermissions) {
  const key = mintKey(systemRandom)
  const keyId = await addKey({ projectId, permissions, name: "test" }, key)
  return { keyId, apiKey: key.secret }
}

/** Signs a member in; the result is a Cookie header. */
export async function newSession(userId: string): Promise<string> {
  const sessionId = await openSession(userId, {})
  if (!sessionId) throw new Error("There is no such user.")
  return sessionCookie(sessionId)
}

export async function sessionCookie(sessionId: string): Promise<string> {
  return `${sessionCookieName()}=${await encode({ token: { sid: sessionId }, secret: sessionSecret() })}`
}

/** A further member of the world's organization. */
export async function newMember(world: World, role: Role): Promise<{ userId: string; cookie: string }> {
  const userId = newId()
  await pool().query("INSERT INTO users (id, email, email_proven_at) VALUES ($1, $2, now())", [
    userId,
    `${role}-${userId.slice(-12)}@example.com`,
  ])
  await pool().query("INSERT INTO members (organization_id, user_id, role) VALUES ($1, $2, $3)", [
    world.organizationId,
    userId,
    role,
  ])
  return { userId, cookie: await newSession(userId) }
}

export type Call = {
  key?: string
  cookie?: string
  params?: Record<string, string>
  query?: Record<string, string | number | string[]>
  body?: unknown
  /** A body as it is, instead of JSON. */
  rawBody?: BodyInit
  headers?: Record<string, string>
  /** Instead of the operation's own. */
  method?: "HEAD" | "OPTIONS"
  io?: Partial<Io>
}

// What an answer holds is checked by the test that reads it.
export type Answer = { status: number; headers: Headers; json: any; response: Response } // eslint-disable-line @typescript-eslint/no-explicit-any

/** Sends a real Request through the whole pipeline of an operation, as the route file would. */
export async function api(route: Route, call: Call = {}): Promise<Answer> {
  const endpoint = endpoints.find((one) => one.route === route)
  if (!endpoint) throw new Error(`${route} is not in the registry.`)
  const response = await send(endpoint, call)
  const text = response.headers.get("content-type")?.includes("json") ? await response.clone().text() : ""
  return { status: response.status, headers: response.headers, json: text ? JSON.parse(text) : undefined, response }
}

/** As a client does: what a busy machine refuses with 503 is asked again after a while, at most 30 times. */
export async function untilServed(ask: () => Promise<Answer>): Promise<Answer> {
  for (let again = 0; ; again++) {
    const answer = await ask()
    if (answer.status !== 503 || again === 30) return answer
    await sleep(500)
  }
}

export async function send(endpoint: Endpoint, call: Call = {}): Promise<Response> {
  const serve = createServe({ ...guard, answered: () => {} }, () => ({ ...systemIo(), ...call.io }))
  const method = call.method ?? methodOf(endpoint)
  return serve(endpoint)[method](request(endpoint.route, call))
}

export function request(route: Route, call: Call = {}): Request {
  const [ofRoute = "GET"] = route.split(" ")
  const method = call.method ?? ofRoute
  const path = pathOf({ route }).replaceAll(/\{(\w+)\}/g, (_, name: string) =>
    encodeURIComponent(call.params?.[name] ?? ""),
  )
  const url = new URL(path, "http://localhost:3000")
  for (const [name, value] of Object.entries(call.query ?? {})) {
    for (const one of Array.isArray(value) ? value : [value]) url.searchParams.append(name, String(one))
  }
  const given = call.rawBody ?? (call.body === undefined ? undefined : JSON.stringify(call.body))
  const form = given instanceof FormData ? formBody(given) : undefined
  const body = form ? form.body : given
  return new Request(url, {
    method,
    headers: {
      ...(call.key ? { authorization: `Bearer ${call.key}` } : {}),
      ...(call.cookie ? { cookie: call.cookie, "sec-fetch-site": "same-origin" } : {}),
      ...(call.body === undefined ? {} : { "content-type": "application/json" }),
      ...(form ? { "content-type": form.contentType } : {}),
      // As every client sends it; a Request that never leaves has none.
      ...(typeof body === "string" ? { "content-length": String(Buffer.byteLength(body)) } : {}),
      ...call.headers,
    },
    body,
    // Streams need it, and the types of the platform do not know it yet.
    ...(body instanceof ReadableStream ? { duplex: "half" } : {}),
  })
}
