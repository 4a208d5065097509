import { beforeEach, expect, test, vi } from "vitest"
import { api, type Call, newKey, newWorld, request as requestOf, type World } from "@/e2e/support/world"
import { addVerifiedDomain } from "@/e2e/support/examples"
import { holdStatements } from "@/e2e/support/platform/held-statements"
import { serve } from "@/lib/api/serve"
import { listRequests } from "@/lib/api-keys/usage/api"
import { addRequests, type KeyRequest, loggedFieldsMax, windowMax } from "@/lib/api-keys/usage/data"
import type { RequestRecord } from "@/lib/api-keys/usage/schema"
import { flushRequests } from "@/lib/api-keys/usage/record"
import { getEmail } from "@/lib/emails/api"
import { batchSendEmails, sendEmail } from "@/lib/emails/send/api"
import { getEmailExplanation } from "@/lib/explanation/api"
import { resendSuppressions } from "@/lib/faces/resend/suppressions"
import { pool } from "@/lib/platform/database/db"
import { type Endpoint, methodOf } from "@/lib/platform/http/endpoint"
import { encodeId, firstIdAt, newId } from "@/lib/platform/ids"

let world: World
beforeEach(async () => {
  world = await newWorld()
})

const dayMs = 86_400_000

function request(change: Partial<KeyRequest> = {}): KeyRequest {
  return {
    ...{ id: newId(), organizationId: world.organizationId, projectId: world.projectId, keyId: world.keyId },
    ...{ method: "GET", route: "/v1/emails/{emailId}", statusCode: 200, durationMs: 7, ip: "192.0.2.1" },
    ...{ permission: "emails:read", at: new Date() },
    ...change,
  }
}

const list = async (query: Record<string, string | number> = {}) =>
  (
    await api("GET /v1/projects/{projectId}/requests", {
      key: world.apiKey,
      params: { projectId: world.project },
      query,
    })
  ).json

const statuses = (page: { data: { statusCode: number }[] }) => page.data.map(({ statusCode }) => statusCode)

test("requests of all keys are listed newest first, filtered by key, method, route, status and time", async () => {
  const second = await newKey(world.projectId)
  await addRequests([
    request({ statusCode: 200 }),
    request({ statusCode: 404, method: "DELETE", route: "/v1/projects/{projectId}/domains/{domainId}" }),
    request({ statusCode: 503, keyId: second.keyId }),
  ])
  expect(statuses(await list())).toEqual([503, 404, 200])
  expect((await list()).data[0]).toMatchObject({ keyId: encodeId("key", second.keyId), keyName: "test", durationMs: 7 })
  expect(statuses(await list({ key: encodeId("key", second.keyId) }))).toEqual([503])
  expect(statuses(await list({ method: "DELETE" }))).toEqual([404])
  expect(statuses(await list({ route: "/domains" }))).toEqual([404])
  expect(statuses(await list({ route: "%" }))).toEqual([])
  expect(statuses(await list({ status: "5xx" }))).toEqual([503])
  expect(statuses(await list({ status: "404" }))).toEqual([404])
  expect(statuses(await list({ to: "2020-01-01T00:00:00Z" }))).toEqual([])
  expect((await list({ status: "wrong" })).status).toBe(400)
  expect((await list({ key: "key_wrong" })).status).toBe(400)
})

test("a refused request names its problem in the log and in the usage of its key, and no other does", async () => {
  const params = { projectId: world.project, keyId: encodeId("key", world.keyId) }
  const ask = (query: Record<string, string>) =>
    serve(listRequests).GET(requestOf(listRequests.route, { key: world.apiKey, params, query }))
  const { code } = (await (await ask({ status: "wrong" })).json()) as { code: string }
  await ask({})
  await flushRequests()
  expect((await list()).data.map(problemOf)).toEqual([
    [200, undefined],
    [400, code],
  ])
  const usage = await api("GET /v1/projects/{projectId}/api-keys/{keyId}/usage", { key: world.apiKey, params })
  expect(usage.json.data.map(problemOf)).toContainEqual([400, "request.invalid"])
})

const problemOf = ({ statusCode, problemCode }: RequestRecord) => [statusCode, problemCode]

const params = (requestId: string) => ({ projectId: world.project, requestId })
const one = "GET /v1/projects/{projectId}/requests/{requestId}"
/** As api(), but logged. */
const ask = async (endpoint: Endpoint, call: Call) => {
  const response = await serve(endpoint)[methodOf(endpoint)](requestOf(endpoint.route, { key: world.apiKey, ...call }))
  await flushRequests()
  return { requestId: response.headers.get("x-request-id") ?? "", json: await response.json() }
}

test("a send is found by its request and by the email it made, with who asked and its idempotency key, and nothing of its body", async () => {
  await addVerifiedDomain(world)
  const secret = "a line that nobody may keep"
  const mail = { from: "hello@acme.test", to: ["ada@lovelace.example"], subject: secret, text: secret }
  const headers = { "user-agent": `curl/8.7.1 ${"x".repeat(400)}` }
  const sent = await ask(sendEmail, { body: { ...mail, idempotencyKey: "receipt-1" }, headers })
  const found = await api(one, { key: world.apiKey, params: params(sent.requestId) })
  expect(found.json).toMatchObject({
    requestId: sent.requestId,
    statusCode: 201,
    objectIds: [sent.json.id],
    idempotencyKey: "receipt-1",
    userAgent: expect.stringMatching(/^curl\/8\.7\.1 x+…$/),
    keyName: "test",
  })
  expect(found.json.userAgent).toHaveLength(300)
  const items = [mail, { ...mail, from: "nobody" }, mail]
  const batch = await ask(batchSendEmails, { body: { items } })
  const ids = batch.json.results.flatMap(({ id }: { id?: string }) => id ?? [])
  expect((await api(one, { key: world.apiKey, params: params(batch.requestId) })).json.objectIds).toEqual(ids)
  for (const [email, request] of [
    [sent.json.id, sent.requestId],
    [ids[1], batch.requestId],
  ])
    expect((await list({ made: email })).data.map(({ requestId }: RequestRecord) => requestId)).toEqual([request])
  expect((await list({ made: encodeId("email", newId()) })).data).toEqual([])
  expect((await list({ made: "email_wrong" })).status).toBe(400)
  const { rows } = await pool().query("SELECT r::text AS text FROM api_key_requests r WHERE project_id = $1", [
    world.projectId,
  ])
  expect(rows.filter(({ text }) => text.includes(secret) || text.includes("lovelace"))).toEqual([])
})

test("a request for the head of an answer is in the log as that, apart from those for the answer", async () => {
  const given = { key: world.apiKey, params: { projectId: world.project } }
  for (const method of ["HEAD", "GET", "HEAD"] as const) {
    const asked = requestOf(listRequests.route, { ...given, ...(method === "HEAD" && { method }) })
    expect((await serve(listRequests)[method](asked)).status).toBe(200)
  }
  await flushRequests()
  const methods = async (query: Record<string, string> = {}) =>
    (await list(query)).data.map(({ method }: RequestRecord) => method)
  expect(await methods()).toEqual(["HEAD", "GET", "HEAD"])
  expect(await methods({ method: "HEAD" })).toEqual(["HEAD", "HEAD"])
  expect(await methods({ method: "GET" })).toEqual(["GET"])
})

test("a refused request says why, which fields were invalid and what its path names, to those of its project alone", async () => {
  const messageId = encodeId("email", newId())
  const gone = await ask(getEmail, { params: { emailId: messageId } })
  const body = { from: "\u0000", to: Array.from({ length: 30 }, () => "nobody"), subject: 7 }
  const refused = await ask(sendEmail, { body })
  expect((await api(one, { key: world.apiKey, params: params(gone.requestId) })).json).toMatchObject({
    statusCode: 404,
    problemCode: gone.json.code,
    problemDetail: gone.json.detail,
    objectIds: [messageId],
  })
  const { json } = await api(one, { key: world.apiKey, params: params(refused.requestId) })
  expect(json).toMatchObject({ statusCode: 400, problemDetail: refused.json.detail, objectIds: [] })
  expect(json.problemFields).toEqual(refused.json.errors.slice(0, loggedFieldsMax))
  const other = await newWorld()
  expect(
    (await api(one, { key: other.apiKey, params: { ...params(gone.requestId), projectId: other.project } })).status,
  ).toBe(404)
  expect((await api(one, { key: world.apiKey, params: params(encodeId("req", newId())) })).status).toBe(404)
})

test("pages follow each other without gaps and repeats, and another project's requests are in none", async () => {
  const other = await newWorld()
  await addRequests(Array.from({ length: 7 }, (_, nth) => request({ statusCode: 200 + nth })))
  await addRequests([request({ projectId: other.projectId, keyId: other.keyId, statusCode: 599 })])
  const pages = [await list({ size: 3 })]
  while (pages.at(-1).cursor.nextCursor) pages.push(await list({ size: 3, after: pages.at(-1).cursor.nextCursor }))
  expect(pages.flatMap(statuses)).toEqual([206, 205, 204, 203, 202, 201, 200])
  expect((await list({ after: "forged" })).status).toBe(404)
})

test("a rare filter reads a bounded part of a long log and goes on behind it", async () => {
  const rows = windowMax + 10
  await pool().query(
    `INSERT INTO api_key_requests (id, organization_id, project_id, key_id, method, route, status_code, created_at)
      SELECT uuidv7(), $1, $2, $3, 'GET', '/v1/x', CASE WHEN n = 1 THEN 500 ELSE 200 END, now()
        FROM generate_series(1, $4::int) AS n`,
    [world.organizationId, world.projectId, world.keyId, rows],
  )
  const first = await list({ status: "5xx" })
  expect(first).toMatchObject({ data: [], cursor: { hasNextPage: true } })
  expect(statuses(await list({ status: "5xx", after: first.cursor.nextCursor }))).toEqual([500])
  await pool().query("ANALYZE api_key_requests")
  const { rows: plan } = await pool().query<{ "QUERY PLAN": string }>(
    `EXPLAIN SELECT id FROM api_key_requests WHERE project_id = '${world.projectId}' AND id < '${firstIdAt(new Date(Date.now() + dayMs))}'
      ORDER BY id DESC LIMIT 50`,
  )
  const text = plan.map((row) => row["QUERY PLAN"]).join("\n")
  expect(text).toMatch(/Index (?:Only )?Scan Backward using api_key_requests_\d+_project_id_id_idx/)
  expect(text).not.toMatch(/Sort/)
})

test("the summary of a key counts its days and permissions, and names those unused for 30 days", async () => {
  await pool().query("UPDATE api_keys SET created_at = now() - interval '60 days' WHERE id = $1", [world.keyId])
  const old = new Date(Date.now() - 40 * dayMs)
  await addRequests([
    request({ permission: "emails:send", statusCode: 201 }),
    request({ permission: "emails:send", statusCode: 422 }),
    request({ permission: "", statusCode: 403 }),
    request({ permission: "contacts:write", at: old, id: firstIdAt(old) }),
  ])
  await addRequests([request({ permission: "emails:send" })])
  const params = { projectId: world.project, keyId: encodeId("key", world.keyId) }
  const route = "GET /v1/projects/{projectId}/api-keys/{keyId}/usage/summary"
  const { json } = await api(route, { key: world.apiKey, params })
  expect(json).toMatchObject({ requests: 4, refused: 2 })
  expect(json.days).toHaveLength(30)
  expect(json.days.at(-1)).toEqual({ day: new Date().toISOString().slice(0, 10), requests: 4, refused: 2 })
  expect(json.permissions[0]).toMatchObject({ permission: "emails:send", granted: true, requests: 3 })
  expect(json.permissions[1]).toMatchObject({
    permission: "contacts:write",
    requests: 0,
    lastUsedAt: old.toISOString(),
  })
  expect(json.unused).toContain("contacts:write")
  expect(json.unused).toContain("domains:read")
  expect(json.unused).not.toContain("emails:send")
  await pool().query("UPDATE api_keys SET created_at = now() WHERE id = $1", [world.keyId])
  expect((await api(route, { key: world.apiKey, params })).json.unused).toEqual([])
})

test("the summary of a key counts every permission that a request used, and the request once", async () => {
  await addVerifiedDomain(world)
  const { json: sent } = await ask(sendEmail, {
    body: { from: "hello@acme.test", to: ["ada@lovelace.example"], subject: "Hello", text: "Hello" },
  })
  await ask(getEmailExplanation, { params: { projectId: world.project, emailId: sent.id } })
  const removal = resendSuppressions.find(({ operationId }) => operationId === "resendRemoveSuppression")
  await ask(removal ?? expect.fail("no operation"), { params: { email: "ada@lovelace.example" } })
  const { json } = await api("GET /v1/projects/{projectId}/api-keys/{keyId}/usage/summary", {
    key: world.apiKey,
    params: { projectId: world.project, keyId: encodeId("key", world.keyId) },
  })
  type Use = { permission: string; requests: number; lastUsedAt?: string }
  const used = json.permissions.filter((use: Use) => use.lastUsedAt)
  expect(Object.fromEntries(used.map((use: Use) => [use.permission, use.requests]))).toEqual({
    "emails:send": 1,
    "emails:read": 1,
    "webhooks:read": 1,
    "suppressions:read": 1,
    "suppressions:write": 1,
  })
  expect(json).toMatchObject({ requests: 3, refused: 1 })
})

test("of the lists of a project's requests one is read at a time", async () => {
  const params = { projectId: world.project, keyId: encodeId("key", world.keyId) }
  const { held, release } = holdStatements('FROM "public"."api_key_requests"')
  const filtered = list({ route: "/zzzq" })
  await vi.waitFor(() => expect(held).toHaveLength(1))
  const usage = api("GET /v1/projects/{projectId}/api-keys/{keyId}/usage", { key: world.apiKey, params })
  const all = list()
  await newWorld()
  const sent = held.length
  release()
  expect(sent, "statements before the first list has ended").toBe(1)
  await Promise.all([filtered, usage, all])
})
