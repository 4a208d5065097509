import { expectProblem } from "@/e2e/support/expect-problem"
import { describe, expect, test } from "vitest"
import { api, newMember, newWorld } from "@/e2e/support/world"
import { pool } from "@/lib/platform/database/db"
import { markQuotas } from "@/lib/projects/quota/data"
import { anHourAhead } from "@/e2e/support/platform/clocks"
import { oneWaits, withRival } from "@/e2e/support/platform/rival"

describe("projects", () => {
  test("a key reads its own project, with limits and tracking settings", async () => {
    const world = await newWorld()
    const { status, json } = await api("GET /v1/projects/{projectId}", {
      key: world.apiKey,
      params: { projectId: world.project },
    })
    expect(status).toBe(200)
    expect(json).toMatchObject({
      id: world.project,
      status: "active",
      limits: { perSecondSends: 14, dailySends: 50_000 },
    })
    expect(json.trackingSettings).toEqual({
      openTracking: false,
      clickTracking: false,
      readEngagement: false,
      scrollDepth: false,
      unsubscribeTracking: false,
    })
  })

  test("the settings show what is used of the limits, by the database's day and clock", async () => {
    const world = await newWorld()
    await pool().query(
      `INSERT INTO quota_days (organization_id, day, used)
        SELECT $1, (now() AT TIME ZONE 'UTC')::date + days, 7 + days FROM generate_series(-1, 1) days`,
      [world.organizationId],
    )
    await pool().query("UPDATE api_keys SET expires_at = now() + interval '30 minutes' WHERE project_id = $1", [
      world.projectId,
    ])
    const { json } = await anHourAhead(() =>
      api("GET /v1/projects/{projectId}/settings", { key: world.apiKey, params: { projectId: world.project } }),
    )
    expect({ dailySendsUsed: json.limits.dailySends.used, maxApiKeysUsed: json.limits.maxApiKeys.used }).toEqual({
      dailySendsUsed: 7,
      maxApiKeysUsed: 1,
    })
  })

  test("the settings forecast when the day's allowance runs out, from what the worker has noted, and show the bucket", async () => {
    const world = await newWorld()
    const settings = () =>
      api("GET /v1/projects/{projectId}/settings", { key: world.apiKey, params: { projectId: world.project } })
    await pool().query(
      "INSERT INTO quota_days (organization_id, day, used) VALUES ($1, (now() AT TIME ZONE 'UTC')::date, 100)",
      [world.organizationId],
    )
    await pool().query(
      "UPDATE send_allowances SET tokens = 200, refilled_at = now() + interval '1 hour' WHERE project_id = $1",
      [world.projectId],
    )
    await markQuotas()
    await markQuotas()
    const { rows } = await pool().query("SELECT used FROM quota_marks WHERE organization_id = $1", [
      world.organizationId,
    ])
    expect(rows).toEqual([{ used: 100 }])
    const fresh = (await settings()).json
    expect({ burst: fresh.burst, perHour: fresh.today.perHour, runsOutAt: fresh.today.runsOutAt }).toEqual({
      burst: { size: 280, used: 80 },
      perHour: undefined,
      runsOutAt: undefined,
    })
    expect(new Date(fresh.today.resetsAt).toISOString()).toMatch(/T00:00:00\.000Z$/)

    await pool().query("UPDATE quota_marks SET at = at - interval '30 minutes' WHERE organization_id = $1", [
      world.organizationId,
    ])
    await pool().query("UPDATE quota_days SET used = 49990 WHERE organization_id = $1", [world.organizationId])
    const { today, limits } = (await anHourAhead(settings)).json
    expect(limits.dailySends.used).toBe(49_990)
    const [{ hour, ms }] = (
      await pool().query(
        "SELECT extract(hour FROM now() AT TIME ZONE 'UTC')::int * 60 + extract(minute FROM now())::int AS hour, extract(epoch FROM now())::float8 * 1000 AS ms",
      )
    ).rows
    // In the first minutes of a UTC day the mark is of yesterday.
    if (hour < 32) return expect(today.runsOutAt).toBeUndefined()
    expect(Date.parse(today.runsOutAt) - ms).toBeGreaterThan(-10_000)
    expect(Date.parse(today.runsOutAt) - ms).toBeLessThan(60_000)
    expect(today.perHour).toBeGreaterThan(90_000)
  })

  test("a key of another project is refused alike for a project that exists and one that does not", async () => {
    const [a, b] = [await newWorld(), await newWorld()]
    for (const projectId of [b.project, "proj_01k9q3f7c2e8m9v4x6y8z0a1b3", "nope", `${a.project};x`]) {
      const { status, json } = await api("GET /v1/projects/{projectId}", { key: a.apiKey, params: { projectId } })
      expectProblem({ status, json }, 403, "auth.project_mismatch")
    }
  })

  test("a limit above the operator's ceiling is refused with its pointer, and below it is kept", async () => {
    const world = await newWorld()
    const limits = {
      perSecondSends: 14,
      dailySends: 50_000,
      maxRecipientsPerMessage: 50,
      maxDomains: 25,
      maxApiKeys: 10,
      maxWebhooks: 10,
    }
    const patch = (body: unknown) =>
      api("PATCH /v1/projects/{projectId}", { key: world.apiKey, params: { projectId: world.project }, body })
    const over = await patch({ limits: { ...limits, dailySends: 50_001 } })
    expect({ status: over.status, pointer: over.json.errors[0].pointer }).toEqual({
      status: 400,
      pointer: "/limits/dailySends",
    })
    const lower = await patch({ limits: { ...limits, maxDomains: 3 }, name: "Renamed" })
    expect(lower.json).toMatchObject({ name: "Renamed", limits: { maxDomains: 3 } })
    expect((await patch({ limits })).json.limits.maxDomains).toBe(25)
  })

  test("a limit is judged by the ceilings at the moment it is stored", async () => {
    const world = await newWorld()
    const read = await api("GET /v1/projects/{projectId}", { key: world.apiKey, params: { projectId: world.project } })
    await withRival(async (operator) => {
      await operator.query("BEGIN")
      await operator.query("UPDATE projects SET max_domains = 3, max_domains_ceiling = 3 WHERE id = $1", [
        world.projectId,
      ])
      const changing = api("PATCH /v1/projects/{projectId}", {
        key: world.apiKey,
        params: { projectId: world.project },
        body: { limits: { ...read.json.limits, maxDomains: 20 } },
      })
      await oneWaits()
      await operator.query("COMMIT")
      const { status, json } = await changing
      expect({ status, pointer: json.errors?.[0].pointer }).toEqual({ status: 400, pointer: "/limits/maxDomains" })
    })
    const { json } = await api("GET /v1/projects/{projectId}", {
      key: world.apiKey,
      params: { projectId: world.project },
    })
    expect(json.limits.maxDomains).toBe(3)
  })

  test("an unknown field and a wrong one are both named by their pointers", async () => {
    const world = await newWorld()
    const { status, json } = await api("PATCH /v1/projects/{projectId}", {
      key: world.apiKey,
      params: { projectId: world.project },
      body: { nmae: "x", slug: "No Slug" },
    })
    expect(status).toBe(400)
    expect(json.errors.map((fault: { pointer: string }) => fault.pointer).sort()).toEqual(["/nmae", "/slug"])
  })

  test("a viewer reads a project and cannot change it; somebody else's session does not see it", async () => {
    const [world, other] = [await newWorld(), await newWorld()]
    const viewer = await newMember(world, "viewer")
    const call = { cookie: viewer.cookie, params: { projectId: world.project } }
    expect((await api("GET /v1/projects/{projectId}", call)).status).toBe(200)
    expect((await api("PATCH /v1/projects/{projectId}", { ...call, body: { name: "x" } })).status).toBe(403)
    const foreign = await api("GET /v1/projects/{projectId}", {
      cookie: viewer.cookie,
      params: { projectId: other.project },
    })
    expectProblem(foreign, 404, "project.not_found")
  })

  test("a bucket of 60 passes exactly 60 of 100 parallel requests, the rest are 429 with Retry-After", async () => {
    const world = await newWorld()
    const all = await Promise.all(Array.from({ length: 100 }, () => api("GET /v1/projects", { key: world.apiKey })))
    expect(all.filter(({ status }) => status === 200)).toHaveLength(60)
    const refused = all.filter(({ status }) => status === 429)
    expect(refused).toHaveLength(40)
    for (const { headers } of refused) expect(Number(headers.get("retry-after"))).toBeGreaterThanOrEqual(1)
  })
})
