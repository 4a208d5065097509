import { describe, expect, test } from "vitest"
import { api, newMember, newSession, newWorld } from "@/e2e/support/world"
import type { Role } from "@/lib/access/permissions"
import { measured } from "@/e2e/support/measured"
import { pool } from "@/lib/platform/database/db"
import { encodeId } from "@/lib/platform/ids"

const createRoute = "POST /v1/projects"
const plan = { name: "Parcel post", slug: "parcel-post", region: "us-east-1" }

describe("a new project", () => {
  test("belongs to the organization, works at once with the full allowance, and is in the audit log", async () => {
    const world = await newWorld()
    const cookie = await newSession(world.userId)
    const { status, json, headers } = await api(createRoute, { cookie, body: plan })
    expect({ status, location: headers.get("location") }).toEqual({ status: 201, location: `/v1/projects/${json.id}` })
    expect(json).toMatchObject({ ...plan, status: "active" })
    expect((await api("GET /v1/projects/{projectId}", { cookie, params: { projectId: json.id } })).json).toEqual(json)
    const { rows } = await pool().query(
      "SELECT action, actor_id, target FROM audit_entries WHERE organization_id = $1",
      [world.organizationId],
    )
    expect(rows).toEqual([{ action: "project.created", actor_id: world.userId, target: json.id }])
  })

  test.each([
    ["owner", 201],
    ["admin", 201],
    ["developer", 403],
    ["viewer", 403],
  ] as [Role, number][])("of a %s is %i", async (role, status) => {
    const world = await newWorld()
    expect((await api(createRoute, { cookie: (await newMember(world, role)).cookie, body: plan })).status).toBe(status)
  })

  test("is nothing that a key can make", async () => {
    const { apiKey } = await newWorld()
    expect((await api(createRoute, { key: apiKey, body: plan })).json.code).toBe("auth.session_required")
  })

  test("is refused where the organization owns 100, also when several are made at once", async () => {
    const world = await newWorld()
    const cookie = await newSession(world.userId)
    await pool().query(
      `INSERT INTO projects (id, organization_id, name, slug, region, deleted_at)
        SELECT gen_random_uuid(), $1, 'p', 'p-' || n, 'eu-west-1', CASE WHEN n > 50 THEN now() END FROM generate_series(1, 97) n`,
      [world.organizationId],
    )
    const made = await Promise.all(
      [1, 2, 3, 4, 5].map((n) => api(createRoute, { cookie, body: { ...plan, slug: `more-${n}` } })),
    )
    expect(made.filter(({ status }) => status === 201)).toHaveLength(2)
    for (const { json } of made.filter(({ status }) => status !== 201))
      expect({ code: json.code, detail: json.detail }).toEqual({
        code: "project.limit_reached",
        detail: expect.stringContaining("has 100 projects"),
      })
  })

  test("goes into no organization in which one is not owner or admin, and names one where there are several", async () => {
    const [world, other, third] = [await newWorld(), await newWorld(), await newWorld()]
    await pool().query(
      "INSERT INTO members (organization_id, user_id, role) VALUES ($1, $3, 'admin'), ($2, $3, 'viewer')",
      [other.organizationId, third.organizationId, world.userId],
    )
    const cookie = await newSession(world.userId)
    const make = (organizationId?: string) =>
      api(createRoute, {
        cookie,
        body: { ...plan, ...(organizationId && { organizationId: encodeId("org", organizationId) }) },
      })
    expect((await make(other.organizationId)).status).toBe(201)
    for (const refused of [await make(), await make(third.organizationId), await make(world.projectId)]) {
      expect({ status: refused.status, pointer: refused.json.errors[0].pointer }).toEqual({
        status: 400,
        pointer: "/organizationId",
      })
    }
  })

  test("twenty of one slug at once are one", measured, async () => {
    const world = await newWorld()
    const cookie = await newSession(world.userId)
    const answers = await Promise.all(Array.from({ length: 20 }, () => api(createRoute, { cookie, body: plan })))
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(1)
    expect(new Set(answers.filter(({ status }) => status !== 201).map(({ json }) => json.code))).toEqual(
      new Set(["project.slug_taken"]),
    )
  })
})
