import { expectProblem } from "@/e2e/support/expect-problem"
import { describe, expect, test } from "vitest"
import { expectWithin } from "@/e2e/support/within"
import { size } from "@/e2e/support/chaos/size"
import { api, newKey, newMember, newSession, newWorld, type World } from "@/e2e/support/world"
import { permissions } from "@/lib/access/permissions"
import { beyond } from "@/lib/api-keys/rules"
import { addRequests, countRequests } from "@/lib/api-keys/usage/data"
import { pool } from "@/lib/platform/database/db"
import { encodeId, newId } from "@/lib/platform/ids"

const listRoute = "GET /v1/projects/{projectId}/api-keys"
const createRoute = "POST /v1/projects/{projectId}/api-keys"
const usage = "GET /v1/projects/{projectId}/api-keys/{keyId}/usage"
const usageExport = "GET /v1/projects/{projectId}/api-keys/{keyId}/usage/export"

describe("a new key", () => {
  test("is shown once, works at once, and is nowhere in the database", async () => {
    const { world, cookie } = await owner()
    const created = await create(world, cookie, { permissions: ["projects:read", "usage:read"], expiresInDays: 30 })
    expect(created.status).toBe(201)
    expect(created.headers.get("cache-control")).toBe("no-store")
    expect(created.headers.get("location")).toBe(`/v1/projects/${world.project}/api-keys/${created.json.id}`)
    const { apiKey, ...shown } = created.json
    expect(apiKey).toMatch(/^mr_live_[0-9A-Za-z]{38}$/)
    expect(shown).toMatchObject({
      configId: "default",
      prefix: "mr_live_",
      start: apiKey.slice(0, 12),
      enabled: true,
      rateLimitEnabled: true,
      requestCount: 0,
      projectId: world.project,
      permissions: { projects: ["read"], usage: ["read"] },
    })
    expect(Math.round((Date.parse(shown.expiresAt) - Date.now()) / 86_400_000)).toBe(30)

    const params = { projectId: world.project }
    expect((await api("GET /v1/projects/{projectId}", { key: apiKey, params })).status).toBe(200)
    const list = await api(listRoute, { cookie, params })
    expect(list.json.data[0]).toEqual(shown)
    const one = await api("GET /v1/projects/{projectId}/api-keys/{keyId}", {
      cookie,
      params: { ...params, keyId: shown.id },
    })
    expect(one.json).toEqual(shown)
    expect(JSON.stringify([list.json, one.json])).not.toContain(apiKey)

    const rows = await pool().query("SELECT row_to_json(k)::text AS text FROM api_keys k WHERE project_id = $1", [
      world.projectId,
    ])
    const audit = await pool().query(
      "SELECT row_to_json(a)::text AS text FROM audit_entries a WHERE organization_id = $1",
      [world.organizationId],
    )
    const kept = JSON.stringify([...rows.rows, ...audit.rows])
    expect(kept).toContain("api_key.created")
    expect(kept).not.toContain(apiKey)
    expect(kept).not.toContain(Buffer.from(apiKey).toString("hex"))
  })

  test("is refused to a viewer, and to keys whatever they may do", async () => {
    const { world } = await owner()
    const viewer = await newMember(world, "viewer")
    expect((await create(world, viewer.cookie)).json.code).toBe("auth.permission_missing")
    const byKey = await api(createRoute, {
      key: world.apiKey,
      params: { projectId: world.project },
      body: { name: "x", permissions: ["emails:read"] },
    })
    expectProblem(byKey, 403, "auth.session_required")
    expect((await create(world, (await newMember(world, "developer")).cookie)).status).toBe(201)
  })

  test("may do at most what its issuer may", () => {
    expect(beyond(["emails:read", "projects:write"], ["emails:read", "domains:write", "emails:send"])).toEqual([
      "domains:write",
      "emails:send",
    ])
    expect(beyond(permissions, permissions)).toEqual([])
  })

  test("does not change limits for a developer, who may neither make, widen nor rotate one with projects:write", async () => {
    const { world } = await owner()
    const { cookie } = await newMember(world, "developer")
    const permissions = ["emails:read", "projects:write"]
    const made = await create(world, cookie, { permissions })
    expectProblem(made, 403, "auth.permission_missing")
    expect(made.json.detail).toContain("projects:write")
    const own = await create(world, cookie, { permissions: ["emails:read"] })
    const keyRoute = "PATCH /v1/projects/{projectId}/api-keys/{keyId}"
    const widened = { cookie, params: { projectId: world.project, keyId: own.json.id }, body: { permissions } }
    expectProblem(await api(keyRoute, widened), 403, "auth.permission_missing")
    const rotated = await api("POST /v1/projects/{projectId}/api-keys/{keyId}/rotate", {
      cookie,
      params: { projectId: world.project, keyId: encodeId("key", world.keyId) },
      body: { overlapHours: 24 },
    })
    expectProblem(rotated, 403, "auth.permission_missing")
    expect((await create(world, (await newMember(world, "admin")).cookie, { permissions })).status).toBe(201)
  })

  test.each([
    [{ name: " " }, "/name"],
    [{ name: "x".repeat(101) }, "/name"],
    [{ permissions: [] }, "/permissions"],
    [{ permissions: ["emails:delete"] }, "/permissions/0"],
    [{ expiresInDays: 31 }, "/expiresInDays"],
    [{ nmae: "x" }, "/nmae"],
  ])("is refused with a pointer to the fault: %j", async (fault, pointer) => {
    const { world, cookie } = await owner()
    const { status, json } = await create(world, cookie, fault)
    expect({ status, pointer: json.errors[0].pointer }).toEqual({ status: 400, pointer })
  })

  test("20 made at once stop exactly at the project's limit, which the refusal names", async () => {
    const { world, cookie } = await owner()
    await pool().query("UPDATE projects SET max_api_keys = 5 WHERE id = $1", [world.projectId])
    const answers = await Promise.all(Array.from({ length: 20 }, () => create(world, cookie)))
    // One key is the world's own.
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(4)
    const refused = answers.filter(({ status }) => status === 403)
    expect(refused).toHaveLength(16)
    expect(refused[0]?.json).toMatchObject({
      code: "project.limit_reached",
      detail: expect.stringContaining("maxApiKeys is 5"),
    })
  })

  test("may take the place of a revoked or expired one", async () => {
    const { world, cookie } = await owner()
    await pool().query("UPDATE projects SET max_api_keys = 1 WHERE id = $1", [world.projectId])
    expect((await create(world, cookie)).status).toBe(403)
    await pool().query("UPDATE api_keys SET expires_at = now() - interval '1 second' WHERE project_id = $1", [
      world.projectId,
    ])
    const second = await create(world, cookie)
    expect(second.status).toBe(201)
    await revoke(world, cookie, second.json.id)
    expect((await create(world, cookie)).status).toBe(201)
  })
})

describe("a revoked key", () => {
  test("is refused within a second, stays in the list, and is in the audit log", async () => {
    const { world, cookie } = await owner()
    const { apiKey, keyId } = await newKey(world.projectId)
    const ask = async () =>
      (await api("GET /v1/projects/{projectId}", { key: apiKey, params: { projectId: world.project } })).status
    expect(await ask()).toBe(200)
    expect((await revoke(world, cookie, encodeId("key", keyId))).status).toBe(204)
    await expectWithin(1_200, ask, 401)
    const { json } = await api(listRoute, { cookie, params: { projectId: world.project } })
    expect(json.data.find(({ id }: { id: string }) => id === encodeId("key", keyId)).enabled).toBe(false)
    const audit = await pool().query(
      "SELECT actor_kind, target FROM audit_entries WHERE organization_id = $1 AND action = 'api_key.revoked'",
      [world.organizationId],
    )
    expect(audit.rows).toEqual([{ actor_kind: "user", target: encodeId("key", keyId) }])
    expect((await revoke(world, cookie, encodeId("key", keyId))).json.code).toBe("api_key.not_found")
  })

  test("cannot be one of another project", async () => {
    const { world, cookie } = await owner()
    const other = await newWorld()
    const foreign = await revoke(world, cookie, encodeId("key", other.keyId))
    const unknown = await revoke(world, cookie, encodeId("key", newId()))
    expect({ status: foreign.status, detail: foreign.json.detail }).toEqual({
      status: unknown.status,
      detail: unknown.json.detail,
    })
    expect(foreign.status).toBe(404)
    expect(
      (await api("GET /v1/projects/{projectId}", { key: other.apiKey, params: { projectId: other.project } })).status,
    ).toBe(200)
  })
})

test("an expired key is refused to the second, though it was just used", async () => {
  const { world } = await owner()
  const { apiKey, keyId } = await newKey(world.projectId)
  await pool().query("UPDATE api_keys SET expires_at = now() + interval '700 milliseconds' WHERE id = $1", [keyId])
  const ask = async () =>
    (await api("GET /v1/projects/{projectId}", { key: apiKey, params: { projectId: world.project } })).status
  expect(await ask()).toBe(200)
  await expectWithin(1_200, ask, 401)
})

describe("the usage of a key", () => {
  test("comes newest first, in a window, with metadata alone", async () => {
    const { world, cookie } = await owner()
    const start = Date.now() - 60_000
    await use(
      world,
      [0, 1, 2, 3, 4].map((second) => new Date(start + second * 1000)),
    )
    const params = { projectId: world.project, keyId: encodeId("key", world.keyId) }
    const all = await api(usage, { cookie, params })
    expect(all.json.page).toEqual({ size: 100, totalPages: 1, hasMore: false })
    expect(all.json.data.map(({ ts }: { ts: string }) => Date.parse(ts) - start)).toEqual([4000, 3000, 2000, 1000, 0])
    expect(all.json.data[0]).toMatchObject({
      keyId: params.keyId,
      orgId: encodeId("org", world.organizationId),
      route: "/v1/projects/{projectId}",
      statusCode: 200,
    })
    expect(JSON.stringify(all.json)).not.toContain(world.apiKey.slice(8))

    const two = await api(usage, { cookie, params, query: { limit: 2 } })
    expect(two.json.page).toEqual({ size: 2, totalPages: 3, hasMore: true })
    const window = { after: new Date(start + 1000).toISOString(), before: new Date(start + 3000).toISOString() }
    expect((await api(usage, { cookie, params, query: window })).json.data).toHaveLength(3)
    const reversed = { after: window.before, before: window.after }
    expect((await api(usage, { cookie, params, query: reversed })).json).toEqual({
      data: [],
      page: { size: 100, totalPages: 0, hasMore: false },
    })
    expect((await api(usage, { cookie, params, query: { limit: 9999 } })).json.page.size).toBe(500)
    expect((await api(usage, { cookie, params, query: { limit: "many" } })).status).toBe(400)
    expect((await api(usage, { cookie, params, query: { after: "yesterday" } })).status).toBe(400)
  })

  test("is not found under another project, nor by the key itself in place of its id", async () => {
    const [{ world, cookie }, other] = [await owner(), await newWorld()]
    for (const keyId of [encodeId("key", other.keyId), world.apiKey, "key_x", encodeId("email", world.keyId)]) {
      const { status, json } = await api(usage, { cookie, params: { projectId: world.project, keyId } })
      expectProblem({ status, json }, 404, "api_key.not_found")
    }
  })

  test("is exported whole as CSV and as JSON, in a window too", async () => {
    const { world, cookie } = await owner()
    const start = Date.now() - 3_600_000
    const times = Array.from({ length: 2_500 }, (_, i) => new Date(start + i * 1000))
    await use(world, times)
    const params = { projectId: world.project, keyId: encodeId("key", world.keyId) }
    const listed = await api(usage, { cookie, params, query: { limit: 2 } })

    const asJson = await api(usageExport, { cookie, params, query: { format: "json" } })
    expect(asJson.headers.get("content-disposition")).toBe(`attachment; filename="usage-${params.keyId}.json"`)
    expect(asJson.json).toHaveLength(2_500)
    expect(asJson.json.slice(0, 2)).toEqual(listed.json.data)
    expect(asJson.json.map(({ ts }: { ts: string }) => Date.parse(ts))).toEqual(times.map(Number).reverse())

    const asCsv = await api(usageExport, { cookie, params })
    expect(asCsv.headers.get("content-type")).toBe("text/csv; charset=utf-8")
    const [header, first, ...rest] = (await asCsv.response.text()).trimEnd().split("\r\n")
    expect(header).toBe("id,key_id,org_id,method,route,status_code,duration_ms,ip,ts")
    const { id, keyId, orgId, method, route, statusCode, durationMs = "", ip = "", ts } = listed.json.data[0]
    expect(first).toBe(
      [id, keyId, orgId, method, route, statusCode, durationMs, ip, ts].map((cell) => `"${cell}"`).join(","),
    )
    expect(rest).toHaveLength(2_499)

    const window = { after: new Date(start + 1000).toISOString(), before: new Date(start + 3000).toISOString() }
    expect((await api(usageExport, { cookie, params, query: { ...window, format: "json" } })).json).toHaveLength(3)
    const reversed = { after: window.before, before: window.after, format: "json" }
    expect((await api(usageExport, { cookie, params, query: reversed })).json).toEqual([])
    expect((await api(usageExport, { cookie, params, query: { format: "xml" } })).status).toBe(400)
  })

  test("is counted no further than asked for", async () => {
    const { world } = await owner()
    await use(
      world,
      Array.from({ length: 5 }, () => new Date()),
    )
    const scope = { project: { id: world.projectId } }
    expect(await countRequests(scope, world.keyId, {}, 3)).toBe(4)
    expect(await countRequests(scope, world.keyId, {}, 5)).toBe(5)
  })

  // Writing them takes half a minute.
  test.runIf(size(false, true))(
    "is refused as a file beyond 1,000,000 requests, and exported in shorter windows",
    { timeout: 180_000 },
    async () => {
      const { world, cookie } = await owner()
      const params = { projectId: world.project, keyId: encodeId("key", world.keyId) }
      const start = Date.now() - 1_000_100
      for (let from = 0; from <= 1_000_000; from += 100_000) {
        await pool().query(
          `INSERT INTO api_key_requests (id, organization_id, project_id, key_id, method, route, status_code, created_at)
            SELECT overlay(first_id_at(at)::text PLACING lpad(to_hex(n), 12, '0') FROM 25)::uuid, $1, $2, $3, 'GET', '/v1/emails', 200, at
              FROM (SELECT n, $4::timestamptz + n * interval '1 millisecond' AS at FROM generate_series($5::int, $6::int) AS n) AS given`,
          [
            ...[world.organizationId, world.projectId, world.keyId, new Date(start)],
            ...[from + 1, Math.min(from + 100_000, 1_000_001)],
          ],
        )
      }
      const refused = await api(usageExport, { cookie, params })
      expectProblem(refused, 413, "api_key.usage_too_large")
      const before = new Date(start + 1000).toISOString()
      expect((await api(usageExport, { cookie, params, query: { format: "json", before } })).json).toHaveLength(1000)
    },
  )

  test("pages by the time of its last record misses none, also of those that began in the millisecond before their id", async () => {
    const { world, cookie } = await owner()
    const start = Date.now() - 60_000
    await pool().query(
      `INSERT INTO api_key_requests (id, organization_id, project_id, key_id, method, route, status_code, created_at)
        SELECT overlay(first_id_at(at)::text PLACING lpad(to_hex(n), 12, '0') FROM 25)::uuid, $1, $2, $3, 'GET', '/v1/emails', 200,
            at - (n % 2) * interval '1 millisecond'
          FROM (SELECT n, $4::timestamptz + n / 3 * interval '1 millisecond' AS at FROM generate_series(1, 60) AS n) AS given`,
      [world.organizationId, world.projectId, world.keyId, new Date(start)],
    )
    const params = { projectId: world.project, keyId: encodeId("key", world.keyId) }
    for (const limit of [5, 6, 7, 8]) {
      const seen = new Set<string>()
      for (let query: Record<string, string | number> | null = { limit }; query;) {
        const { json } = await api(usage, { cookie, params, query })
        for (const { id } of json.data) seen.add(id)
        query = json.page.hasMore ? { limit, before: json.data.at(-1).ts } : null
      }
      expect(seen.size, `records in pages of ${limit}`).toBe(60)
    }
  })

  test("counts on the key and shows its last use", async () => {
    const { world, cookie } = await owner()
    const at = new Date(Date.now() - 5000)
    await use(world, [new Date(at.getTime() - 1000), at])
    const { json } = await api(listRoute, { cookie, params: { projectId: world.project } })
    expect(json.data[0]).toMatchObject({ requestCount: 2, lastRequest: at.toISOString() })
  })
})

async function owner() {
  const world = await newWorld()
  return { world, cookie: await newSession(world.userId) }
}

function create(world: World, cookie: string, fields: Record<string, unknown> = {}) {
  const body = { name: "Shop", permissions: ["emails:send"], ...fields }
  return api(createRoute, { cookie, params: { projectId: world.project }, body })
}

function revoke(world: World, cookie: string, keyId: string) {
  return api("DELETE /v1/projects/{projectId}/api-keys/{keyId}", {
    cookie,
    params: { projectId: world.project, keyId },
  })
}

async function use(world: World, times: Date[]) {
  const { organizationId, projectId, keyId } = world
  const about = {
    organizationId,
    projectId,
    keyId,
    method: "GET",
    route: "/v1/projects/{projectId}",
    statusCode: 200,
    durationMs: 3,
    ip: "192.0.2.1",
    permission: "projects:read",
  }
  await addRequests(times.map((at) => ({ ...about, id: idAt(at), at })))
}

/** A UUIDv7 of an instant, as the recorder makes them. */
function idAt(at: Date): string {
  const hex = at.getTime().toString(16).padStart(12, "0")
  return `${hex.slice(0, 8)}-${hex.slice(8)}${newId().slice(13)}`
}
