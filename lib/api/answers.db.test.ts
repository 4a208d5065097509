import { beforeAll, describe, expect, test } from "vitest"
import { addVerifiedDomain, examples } from "@/e2e/support/examples"
import { api, newKey, newWorld, type World } from "@/e2e/support/world"
import { serve } from "@/lib/api/serve"
import { endpoints } from "@/lib/api/registry"
import { flushRequests } from "@/lib/api-keys/usage/record"
import { pathOf } from "@/lib/platform/http/endpoint"
import { sendEmail } from "@/lib/emails/send/api"

let world: World
const from = "orders@acme.test"
beforeAll(async () => {
  world = await newWorld()
  await addVerifiedDomain(world)
})

describe("Idempotency-Key", () => {
  const header = { "Idempotency-Key": "receipt-1" }
  const unread = "Idempotency-Key is not read; use idempotencyKey"

  test("a request with the header alone is told that it is not read, and the request log marks it", async () => {
    const { apiKey } = await newKey(world.projectId)
    const post = (body: object, headers: Record<string, string>) =>
      serve(sendEmail).POST(
        new Request("http://localhost/v1/emails", {
          method: "POST",
          headers: { authorization: `Bearer ${apiKey}`, "content-type": "application/json", ...headers },
          body: JSON.stringify(body),
        }),
      )
    const told = await post({ subject: "x" }, header)
    expect({ status: told.status, mailroomNotice: told.headers.get("mailroom-notice") }).toEqual({
      status: 400,
      mailroomNotice: unread,
    })
    expect((await post({ idempotencyKey: "a" }, header)).headers.get("mailroom-notice")).toBeNull()
    expect((await post({ subject: "x" }, {})).headers.get("mailroom-notice")).toBeNull()
    await flushRequests()
    const log = await api("GET /v1/projects/{projectId}/requests", {
      key: apiKey,
      params: { projectId: world.project },
      query: { route: "/v1/emails" },
    })
    expect(log.json.data.map(({ notice }: { notice?: string }) => notice)).toEqual([
      undefined,
      undefined,
      "idempotency_key_unread",
    ])
  })

  test("a batch is told unless each of its items has a key, and an operation without one says so", async () => {
    const batch = async (...items: object[]) =>
      (await api("POST /v1/emails/batch", { key: world.apiKey, body: { items }, headers: header })).headers.get(
        "mailroom-notice",
      )
    expect(await batch({ idempotencyKey: "a" }, { idempotencyKey: "b" })).toBeNull()
    expect(await batch({ idempotencyKey: "a" }, {})).toBe(unread)
    const topic = await api("POST /v1/projects/{projectId}/topics", {
      ...{ key: world.apiKey, params: { projectId: world.project }, headers: header },
      body: { name: "News", defaultSubscription: "opt_in" },
    })
    expect(topic.headers.get("mailroom-notice")).toBe(
      "Idempotency-Key is not read; this operation has no idempotencyKey",
    )
    const read = await api("GET /v1/key", { key: world.apiKey, headers: header })
    expect(read.headers.get("mailroom-notice")).toBeNull()
  })
})

describe("the stream", () => {
  const stream = (call: object = {}) => api("GET /v1/emails/stream", call)

  test("every origin may read it and its problems, and it has no HEAD that would use up a token", async () => {
    const refused = await stream({ query: { token: "nope" }, headers: { Origin: "https://app.example" } })
    expect({
      status: refused.status,
      accessControlAllowOrigin: refused.headers.get("access-control-allow-origin"),
    }).toEqual({ status: 401, accessControlAllowOrigin: "*" })
    expect(refused.headers.get("access-control-allow-credentials")).toBeNull()
    const params = { projectId: world.project }
    const { json } = await api("POST /v1/emails/{projectId}/stream/token", { key: world.apiKey, params })
    const query = { token: json.token as string }
    for (const method of ["HEAD", "OPTIONS"] as const) {
      const other = await stream({ query, method })
      expect({ status: other.status, allow: other.headers.get("allow") }).toEqual({ status: 405, allow: "GET" })
    }
    const open = await stream({ query })
    expect({ status: open.status, accessControlAllowOrigin: open.headers.get("access-control-allow-origin") }).toEqual({
      status: 200,
      accessControlAllowOrigin: "*",
    })
    await open.response.body?.cancel()
  })

  test("no other operation is readable across origins", () => {
    expect(endpoints.filter(({ crossOrigin }) => crossOrigin).map(pathOf)).toEqual(["/v1/emails/stream"])
    expect(endpoints.filter(({ noHead }) => noHead).map(pathOf)).toEqual(["/v1/emails/stream"])
  })
})

test("GET /v1/key answers the key that asks, whatever its permissions", async () => {
  const { apiKey } = await newKey(world.projectId, ["contacts:read"])
  const { status, json } = await api("GET /v1/key", { key: apiKey })
  expect({ status, json }).toEqual({
    status: 200,
    json: {
      keyId: expect.stringMatching(/^key_/),
      name: "test",
      projectId: world.project,
      region: "eu-west-1",
      permissions: ["contacts:read"],
    },
  })
})

describe("unknown query parameters", () => {
  const many =
    /\/export$|^POST .*\/import$|imports\/.*\/(run|cancel|errors)$|batch$|\/emails\/cancel$|\/replay$|\/(suspend|resume)$|^POST .*\/broadcasts(\/.*)?$/
  const acting = endpoints.filter(({ route }) => many.test(route))

  test("are refused by exports and by whatever acts on many", async () => {
    expect(acting).toHaveLength(22)
    for (const { route, operationId, access } of acting) {
      const { params, ...call } = examples[operationId]?.(new Proxy({}, { get: () => "x" }) as never) ?? {}
      if (access.credential === "session") continue
      const answer = await api(route, {
        ...call,
        key: (await newKey(world.projectId)).apiKey,
        params: { projectId: world.project, ...params },
        query: { segmentID: "x" },
      })
      expect({ status: answer.status, pointer: answer.json?.errors?.[0]?.pointer }, route).toEqual({
        status: 400,
        pointer: "query/segmentID",
      })
    }
  })

  test("are ignored by a list", async () => {
    const params = { projectId: world.project }
    const answer = await api("GET /v1/projects/{projectId}/topics", { key: world.apiKey, params, query: { x: "1" } })
    expect(answer.status).toBe(200)
  })
})

describe("what is forgiven", () => {
  test("cc and bcc as bare strings, and times in the forms of RFC 3339", async () => {
    const soon = new Date(Date.now() + 3_600_000).toISOString()
    for (const scheduledAt of [`${soon.slice(0, 16)}Z`, `${soon.slice(0, 19)}+0000`, soon.toLowerCase()]) {
      const sent = await api("POST /v1/emails", {
        key: world.apiKey,
        body: {
          ...{ from, to: "a@lovelace.example", cc: "b@lovelace.example", bcc: "c@lovelace.example" },
          ...{ subject: "x", text: "x", scheduledAt },
        },
      })
      expect({ status: sent.status, errors: sent.json?.errors }).toEqual({ status: 201, errors: undefined })
      const { json } = await api("GET /v1/emails/{emailId}", { key: world.apiKey, params: { emailId: sent.json.id } })
      expect({ cc: json.cc, bcc: json.bcc }).toEqual({ cc: ["b@lovelace.example"], bcc: ["c@lovelace.example"] })
    }
  })

  test("a check of links without HTML finds none", async () => {
    for (const body of [{}, { html: "" }]) {
      const { status, json } = await api("POST /v1/emails/validate", { key: world.apiKey, body })
      expect({ status, json }).toEqual({
        status: 200,
        json: { brokenLinks: 0, errorLinks: 0, totalLinks: 0, links: [] },
      })
    }
  })

  test("the problem of a lone surrogate has none, and names each pointer once", async () => {
    const answer = await api("POST /v1/emails", {
      key: world.apiKey,
      rawBody: '{"\\ud800":"\\ud800","subject":"\\udc00"}',
      headers: { "content-type": "application/json" },
    })
    expect(answer.status).toBe(400)
    expect(await answer.response.text()).not.toMatch(/\\u[dD][89a-fA-F]/)
    const pointers = answer.json.errors.map(({ pointer }: { pointer: string }) => pointer)
    expect(pointers.slice(0, 2)).toEqual(["/\ufffd", "/subject"])
    expect(pointers).toEqual([...new Set(pointers)])
  })
})

test("Prefer: nulls=present reaches nested objects, lists and problems, and only where it is asked for", async () => {
  const { json: sent } = await api("POST /v1/emails", {
    key: world.apiKey,
    body: { from, to: "a@lovelace.example", subject: "x", text: "x" },
    headers: { prefer: 'respond-async, Nulls="present"' },
  })
  expect(sent).toMatchObject({ scheduledAt: null, audienceId: null })
  const list = await api("GET /v1/projects/{projectId}/emails", {
    ...{ key: world.apiKey, params: { projectId: world.project }, headers: { prefer: "nulls=present" } },
  })
  expect(list.json.data[0]).toMatchObject({ id: expect.any(String), replyTo: null })
  const missing = await api("GET /v1/emails/{emailId}", {
    ...{ key: world.apiKey, params: { emailId: "nope" }, headers: { prefer: "nulls=present" } },
  })
  expect({
    status: missing.status,
    errors: missing.json.errors,
    preferenceApplied: missing.headers.get("preference-applied"),
  }).toEqual({ status: 404, errors: null, preferenceApplied: "nulls=present" })
  for (const prefer of ["nulls=absent", "nulls", "xnulls=present", "nulls=absent, nulls=present"]) {
    const plain = await api("GET /v1/key", { key: world.apiKey, headers: { prefer } })
    expect("expiresAt" in plain.json).toBe(false)
    expect(plain.headers.get("preference-applied")).toBe(null)
  }
})
