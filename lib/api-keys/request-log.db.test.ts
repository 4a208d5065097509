import { beforeEach, expect, test } from "vitest"
import { api, newKey, newWorld, request as requestOf, type World } from "@/e2e/support/world"
import { serve } from "@/lib/api/serve"
import { listRequests } from "@/lib/api-keys/usage/api"
import { addRequests, type KeyRequest, windowMax } from "@/lib/api-keys/usage/data"
import type { RequestRecord } from "@/lib/api-keys/usage/schema"
import { flushRequests } from "@/lib/api-keys/usage/record"
import { pool } from "@/lib/platform/database/db"
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
