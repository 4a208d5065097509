import { hash } from "@node-rs/argon2"
import { beforeAll, describe, expect, test } from "vitest"
import { z } from "zod"
import { audited, auditedElsewhere, unaudited } from "@/e2e/support/audited"
import { addBelongings, examples, type Belongings } from "@/e2e/support/examples"
import { api, newKey, newMember, newSession, newWorld, type Answer, type Call, type World } from "@/e2e/support/world"
import { permissions, type Permission } from "@/lib/access/permissions"
import { sessionBucket } from "@/lib/access/limits/data"
import { endpoints } from "@/lib/api/registry"
import { pool } from "@/lib/platform/database/db"
import { methodOf, pathOf, type Endpoint } from "@/lib/platform/http/endpoint"
import { encodeId, newId } from "@/lib/platform/ids"

const ProblemWire = z.strictObject({
  type: z.string(),
  title: z.string().min(1),
  status: z.int(),
  code: z.string().regex(/^[a-z_]+\.[a-z_]+$/),
  detail: z.string().min(1),
  instance: z.string().regex(/^urn:uuid:[0-9a-f-]{36}$/),
  requestId: z.string().regex(/^req_[0-9a-z]{26}$/),
  errors: z.array(z.strictObject({ pointer: z.string(), detail: z.string() })).optional(),
})

/** What every problem of the API has in common. */
function expectProblem(answer: Answer, status: number, code?: string) {
  expect({ status: answer.status, code: answer.json?.code }).toEqual({ status, code: code ?? answer.json?.code })
  expect(answer.headers.get("content-type")).toBe("application/problem+json")
  expect(answer.headers.get("cache-control")).toBe("no-store")
  const document = ProblemWire.parse(answer.json)
  expect(document.status).toBe(status)
  expect(document.type).toBe(`http://localhost:3000/problems/${document.code}`)
  expect(document.requestId).toBe(answer.headers.get("x-request-id"))
}

type Stage = { world: World; other: World; cookie: string; own: Belongings }

let common: Promise<Stage> | undefined

async function newStage(): Promise<Stage> {
  const [world, other] = [await newWorld(), await newWorld()]
  await pool().query("UPDATE users SET password_hash = $2 WHERE id = $1", [
    world.userId,
    await hash("a good long password"),
  ])
  await pool().query("UPDATE projects SET max_api_keys = 1000, max_webhooks = 1000 WHERE id = $1", [world.projectId])
  const cookie = await newSession(world.userId)
  return { world, other, cookie, own: await addBelongings(world, cookie) }
}

const guarded = endpoints.filter(({ access }) => access.credential !== "none")
const named = guarded.map((endpoint) => [endpoint.route, endpoint] as const)

describe.each(named)("%s", (route, endpoint) => {
  let world: World
  let other: World
  let own: Belongings
  let cookie: string
  const inPath = pathOf(endpoint).includes("{projectId}")
  const forPeople = endpoint.access.credential === "session"

  beforeAll(async () => {
    // What ends or replaces something, or takes permissions from a key, gets a stage of its own.
    const ends =
      methodOf(endpoint) === "DELETE" ||
      ["beginTotpSetup", "changePassword", "suspendProject", "updateApiKey"].includes(endpoint.operationId)
    const stage = ends ? await newStage() : await (common ??= newStage())
    ;({ world, other, cookie, own } = stage)
  })

  const example = (): Call => {
    const make = examples[endpoint.operationId]
    if (!make) throw new Error(`There is no example of ${endpoint.operationId} in e2e/support/examples.ts.`)
    const { params, ...call } = make(own)
    return { ...call, params: { ...(inPath ? { projectId: world.project } : {}), ...params } }
  }
  const credential = (): Call => (forPeople ? { cookie } : { key: world.apiKey })

  test("no, garbled, unknown and revoked credentials are 401, all alike", async () => {
    const revoked = await newKey(world.projectId)
    await pool().query("UPDATE api_keys SET revoked_at = now() WHERE id = $1", [revoked.keyId])
    // Failures are counted by address; each operation asks from one of its own.
    const from = { "x-client-ip": `198.51.100.${guarded.indexOf(endpoint) % 256}` }
    const ask = (more: Record<string, string> = {}) =>
      api(route, { ...example(), headers: { ...example().headers, ...from, ...more } })
    const none = await ask()
    expectProblem(none, 401, "auth.missing_credentials")
    expect(none.headers.get("www-authenticate")).toBe("Bearer")
    const wrong = [
      "Bearer",
      "Bearer  x",
      "Basic a2V5",
      `Bearer ${world.apiKey.slice(0, -1)}!`,
      `Bearer ${revoked.apiKey}`,
    ]
    const answers = await Promise.all(wrong.map((authorization) => ask({ authorization })))
    for (const answer of answers) expectProblem(answer, 401, "auth.invalid_credentials")
    expect(new Set(answers.map(({ json }) => json.detail)).size).toBe(1)
  })

  test("a credential without the permission is 403 before the body is read or existence is revealed", async () => {
    if (endpoint.access.credential === "none") return
    if (endpoint.access.credential === "key")
      return expectProblem(await api(route, { ...example(), cookie }), 403, "auth.key_required")
    const wanted: readonly string[] = endpoint.access.anyOf
    const rest = permissions.filter((permission): permission is Permission => !wanted.includes(permission))
    const key = await newKey(world.projectId, rest)
    const call = { ...example(), key: key.apiKey, ...(endpoint.body ? { body: { wrong: true } } : {}) }
    if (endpoint.access.operator) return expectProblem(await api(route, call), 404, "request.not_found")
    expectProblem(await api(route, call), 403, forPeople ? "auth.session_required" : "auth.permission_missing")
  })

  test.runIf(endpoint.access.credential !== "none" && endpoint.access.operator)(
    "is not there for an owner, an admin, a developer or a viewer who does not run the installation",
    async () => {
      const details = new Set<string>()
      for (const role of ["owner", "admin", "developer", "viewer"] as const) {
        const member = await newMember(world, role)
        const answer = await api(route, { ...example(), cookie: member.cookie })
        expectProblem(answer, 404, "request.not_found")
        details.add(answer.json.detail)
      }
      expect(details.size).toBe(1)
    },
  )

  test.runIf(inPath)(
    "a foreign, unknown or malformed project is 403 for a key and 404 for a session, with no oracle",
    async () => {
      const stranger = await newSession(other.userId)
      const { apiKey } = await keyOf(other)
      const details = { key: new Set<string>(), session: new Set<string>() }
      for (const projectId of [world.project, encodeId("proj", newId()), "nope"]) {
        const call = { ...example(), params: { ...example().params, projectId } }
        const [byKey, bySession] = [
          await api(route, { ...call, key: apiKey }),
          await api(route, { ...call, cookie: stranger }),
        ]
        expectProblem(byKey, 403, "auth.project_mismatch")
        expectProblem(bySession, 404, "project.not_found")
        details.key.add(byKey.json.detail)
        details.session.add(bySession.json.detail)
      }
      expect({ keySize: details.key.size, sessionSize: details.session.size }).toEqual({ keySize: 1, sessionSize: 1 })
    },
  )

  const ids = Object.keys(endpoint.path ?? {})
  test.runIf(ids.length)("a foreign id, a random one and one of the wrong form answer the same 404", async () => {
    const stranger = forPeople ? { cookie: await newSession(other.userId) } : { key: (await keyOf(other)).apiKey }
    const details = new Set<string>()
    for (const variant of ["foreign", "random", "malformed"] as const) {
      const params = Object.fromEntries(ids.map((name) => [name, variantOf(endpoint, name, example(), variant)]))
      const answer = await api(route, {
        ...example(),
        ...stranger,
        params: { ...(inPath ? { projectId: other.project } : {}), ...params },
      })
      expectProblem(answer, 404)
      const { requestId: _request, instance: _instance, ...rest } = answer.json
      details.add(JSON.stringify(rest))
      expect([variant, ...details]).toHaveLength(2)
    }
  })

  const bucket = forPeople ? sessionBucket : endpoint.bucket
  test.runIf(bucket)(
    "a full bucket is 429 with Retry-After of at least a second and the X-RateLimit headers",
    async () => {
      if (!bucket) return
      const key = await newKey(world.projectId)
      const window = `${bucket.policy}:${forPeople ? world.userId : key.keyId}`
      await pool().query(
        "INSERT INTO rate_windows (key, points, expire) VALUES ($1, $2, extract(epoch FROM now()) * 1000 + 30000) ON CONFLICT (key) DO UPDATE SET points = $2, expire = excluded.expire",
        [window, bucket.requests],
      )
      const answer = await api(route, { ...example(), ...(forPeople ? { cookie } : { key: key.apiKey }) })
      await pool().query("DELETE FROM rate_windows WHERE key = $1", [window])
      expectProblem(answer, 429, "rate_limit.exceeded")
      expect(Number(answer.headers.get("retry-after"))).toBeGreaterThanOrEqual(1)
      expect(answer.headers.get("x-ratelimit-limit")).toBe(String(bucket.requests))
      expect(answer.headers.get("x-ratelimit-remaining")).toBe("0")
    },
  )

  test.runIf(endpoint.body)(
    "a body that is no object, has an unknown field or another type is a problem with a pointer",
    async () => {
      const bad = (call: Call) => api(route, { ...example(), ...credential(), body: undefined, ...call })
      const json = { "content-type": "application/json" }
      expectProblem(await bad({ rawBody: "[", headers: json }), 400, "request.invalid")
      expectProblem(await bad({ rawBody: "[]", headers: json }), 400)
      const unknown = await bad({ body: { ...(example().body as object), surprise: 1, ["__proto__x"]: 1 } })
      expectProblem(unknown, 400)
      expect(unknown.json.errors.map(({ pointer }: { pointer: string }) => pointer)).toContain("/surprise")
      expectProblem(
        await bad({ rawBody: "a=b", headers: { "content-type": "application/x-www-form-urlencoded" } }),
        415,
      )
      expectProblem(await bad({ rawBody: '{"a":1,"a":2}', headers: json }), 400)
      expectProblem(await bad({ rawBody: `${"[".repeat(10_000)}`, headers: json }), 400)
    },
  )

  // Last, because it may end what it acts on.
  test("a good call succeeds in its declared shape, with a request id and no undeclared field", async () => {
    const caller = forPeople ? { cookie } : { key: (await keyOf(world)).apiKey }
    const answer = await api(route, { ...example(), ...caller })
    expect([answer.status, answer.status < 300 ? "" : answer.json]).toEqual([endpoint.answers[0], ""])
    expect(answer.headers.get("x-request-id")).toMatch(/^req_/)
    const [status, schema, contentType] = endpoint.answers
    if (schema && !contentType) schema.parse(answer.json)
    if (status === 201) expect(answer.headers.get("location")).toMatch(/^\/v1\//)
    if (methodOf(endpoint) === "GET") expect(answer.headers.get("cache-control")).toContain("no-store")
    expect(answer.headers.get("access-control-allow-origin")).toBeNull()
    await answer.response.body?.cancel()
    const { operationId } = endpoint
    const action = operationId in auditedElsewhere ? undefined : audited[operationId]
    expect(await auditedIn(answer)).toEqual(action ? [action] : [])
  })

  test.runIf(methodOf(endpoint) === "GET")(
    "HEAD answers what GET does without its body, and `Prefer: nulls=present` leaves out no declared field",
    async () => {
      const caller = forPeople ? { cookie } : { key: (await keyOf(world)).apiKey }
      const call = { ...example(), ...caller }
      const [whole, head] = [await api(route, call), await api(route, { ...call, method: "HEAD" })]
      await whole.response.body?.cancel()
      expect({ status: head.status, text: await head.response.text() }).toEqual({ status: whole.status, text: "" })
      expect([...head.headers.keys()]).toEqual([...whole.headers.keys()])
      for (const name of ["content-type", "cache-control", "content-disposition"])
        expect(head.headers.get(name), name).toEqual(whole.headers.get(name))
      const [, schema, contentType] = endpoint.answers
      if (!schema || contentType) return
      const full = await api(route, { ...call, headers: { ...call.headers, Prefer: "nulls=present" } })
      expect({ status: full.status, preferenceApplied: full.headers.get("preference-applied") }).toEqual({
        status: 200,
        preferenceApplied: "nulls=present",
      })
      expect(whole.headers.get("preference-applied")).toBeNull()
      expect(missingFields(schema, full.json)).toEqual([])
    },
  )
})

test("each operation that is no GET makes an entry in the audit log, or says why not", () => {
  const writes = endpoints.filter((endpoint) => methodOf(endpoint) !== "GET").map(({ operationId }) => operationId)
  expect([...Object.keys(audited), ...Object.keys(unaudited)].sort()).toEqual(writes.sort())
})

/** Actions of the entries that a request made. */
async function auditedIn({ headers }: Answer): Promise<string[]> {
  const { rows } = await pool().query<{ action: string }>(
    "SELECT DISTINCT action FROM audit_entries WHERE request_id = $1",
    [headers.get("x-request-id")],
  )
  return rows.map(({ action }) => action)
}

/** Fields of plain objects and of lists of them that the answer lacks. */
function missingFields(schema: z.ZodType, value: unknown, at = ""): string[] {
  if (schema instanceof z.ZodOptional || schema instanceof z.ZodNullable)
    return value === null ? [] : missingFields(schema.unwrap() as z.ZodType, value, at)
  if (schema instanceof z.ZodArray)
    return (value as unknown[]).flatMap((item, index) =>
      missingFields(schema.element as z.ZodType, item, `${at}/${index}`),
    )
  if (!(schema instanceof z.ZodObject)) return []
  return Object.entries(schema.shape).flatMap(([name, field]) =>
    name in (value as object)
      ? missingFields(field as z.ZodType, (value as Record<string, unknown>)[name], `${at}/${name}`)
      : [`${at}/${name}`],
  )
}

/** A key of an operation's own: those of one area share a bucket. */
const keyOf = ({ projectId }: World) => newKey(projectId)

function variantOf(
  endpoint: Endpoint,
  name: string,
  example: Call,
  variant: "foreign" | "random" | "malformed",
): string {
  if (variant === "malformed") return "nope"
  const { prefix } = (endpoint.path as Record<string, { prefix: Parameters<typeof encodeId>[0] }>)[name] ?? {
    prefix: "email",
  }
  return variant === "random" ? encodeId(prefix, newId()) : (example.params?.[name] ?? "")
}
