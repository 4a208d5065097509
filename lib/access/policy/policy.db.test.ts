import { describe, expect, test } from "vitest"
import { appCode } from "@/e2e/support/access/authenticator-app"
import { expectProblem } from "@/e2e/support/expect-problem"
import { expectWithin } from "@/e2e/support/within"
import { api, newMember, newSession, newWorld, send, type World } from "@/e2e/support/world"
import { addNotice } from "@/lib/access/notices/data"
import { endpoints } from "@/lib/api/registry"
import { pool, unscopedTransaction } from "@/lib/platform/database/db"
import { sha256 } from "@/lib/platform/crypto"
import { methodOf } from "@/lib/platform/http/endpoint"
import { keepOpen, redeemToken } from "@/lib/stream/data"

const getProject = "GET /v1/projects/{projectId}"

describe("an organization that requires a second factor", () => {
  test("withholds every operation of its projects from a member without one, whatever their role", async () => {
    const { world } = await strictOrganization()
    const member = await newMember(world, "admin")
    const ofProjects = endpoints.filter(
      ({ access, reach }) =>
        reach === "project" && access.credential !== "none" && access.credential !== "key" && !access.operator,
    )
    expect(ofProjects.length).toBeGreaterThan(100)
    const served: string[] = []
    for (const endpoint of ofProjects) {
      const names = [...endpoint.route.matchAll(/\{(\w+)\}/g)].map(([, name = ""]) => name)
      const params = { ...Object.fromEntries(names.map((name) => [name, "any"])), projectId: world.project }
      const body = methodOf(endpoint) === "GET" ? {} : { body: {} }
      const query = endpoint.route.includes("{projectId}") ? {} : { query: { projectId: world.project } }
      const answer = await send(endpoint, { cookie: member.cookie, params, ...body, ...query })
      const { code } = answer.status === 204 ? {} : ((await answer.json()) as { code?: string })
      // A body of another type is refused before anybody asks who sends it.
      if (code !== "auth.second_factor_required" && answer.status !== 415)
        served.push(`${endpoint.operationId} ${answer.status} ${code}`)
    }
    expect(served).toEqual([])
  })

  test("names none of its projects in what concerns the member alone", async () => {
    const { world, owner } = await strictOrganization()
    const { cookie } = await newMember(world, "owner")
    const notice = { kind: "webhook-disabled", webhook: "Orders", host: "shop.test", reason: "gone" } as const
    await unscopedTransaction((tx) => addNotice(world.projectId, notice, "webhooks", tx))
    const told = "GET /v1/session/notices"
    expect(JSON.stringify((await api(told, { cookie: owner })).json)).toContain(world.project)
    for (const route of ["GET /v1/session", told] as const) {
      const answer = await api(route, { cookie })
      expect(answer.status, route).toBe(200)
      expect(JSON.stringify(answer.json), route).not.toContain(world.project)
    }
    expectProblem(await api("GET /v1/projects", { cookie }), 403, "auth.second_factor_required")
    const body = { name: "Own", slug: `own-${world.project.slice(-8)}`, region: "eu-west-1" }
    expectProblem(await api("POST /v1/projects", { cookie, body }), 403, "auth.second_factor_required")
  })

  test("keeps an operator without one from the operations of the installation", async () => {
    const { world } = await strictOrganization()
    const { cookie, userId } = await newMember(world, "viewer")
    await pool().query("UPDATE users SET operator_since = now() WHERE id = $1", [userId])
    expectProblem(await api("GET /v1/operator/notices", { cookie }), 403, "auth.second_factor_required")
    await setUpApp(cookie)
    expect((await api("GET /v1/operator/notices", { cookie })).status).toBe(200)
  })

  test("takes effect within a second on a session and a stream that are open, and not on keys and those who have one", async () => {
    const world = await newWorld()
    const owner = await newSession(world.userId)
    await setUpApp(owner)
    const { cookie } = await newMember(world, "developer")
    const params = { projectId: world.project }
    const stream = await api("POST /v1/emails/{projectId}/stream/token", { cookie, params })
    const hash = sha256(stream.json.token)
    await redeemToken(hash)
    expect((await keepOpen([hash])).size).toBe(1)
    expect((await api(getProject, { cookie, params })).status).toBe(200)

    expect((await require(world, owner, true)).status).toBe(200)
    await expectWithin(1_200, async () => (await api(getProject, { cookie, params })).status, 403)
    expect((await keepOpen([hash])).size).toBe(0)
    for (const caller of [{ cookie: owner }, { key: world.apiKey }])
      expect((await api(getProject, { ...caller, params })).status).toBe(200)
  })

  test("lets a member in at once who has set one up, and keeps out one who has removed it", async () => {
    const { world } = await strictOrganization()
    const { cookie } = await newMember(world, "viewer")
    const params = { projectId: world.project }
    expect((await api(getProject, { cookie, params })).status).toBe(403)
    await setUpApp(cookie)
    expect((await api(getProject, { cookie, params })).status).toBe(200)
    expect((await api("DELETE /v1/session/totp", { cookie })).status).toBe(204)
    await expectWithin(1_200, async () => (await api(getProject, { cookie, params })).status, 403)
  })

  test("leaves a member's projects in other organizations alone", async () => {
    const { world } = await strictOrganization()
    const elsewhere = await newWorld()
    const { userId, cookie } = await newMember(world, "viewer")
    await pool().query("INSERT INTO members (organization_id, user_id, role) VALUES ($1, $2, 'viewer')", [
      elsewhere.organizationId,
      userId,
    ])
    expect((await api(getProject, { cookie, params: { projectId: elsewhere.project } })).status).toBe(200)
    const { json: projects } = await api("GET /v1/projects", { cookie })
    expect(JSON.stringify(projects)).toContain(elsewhere.project)
    expect(JSON.stringify(projects)).not.toContain(world.project)
    const { json } = await api("GET /v1/session", { cookie })
    const needed = json.organizations.map((one: { secondFactorNeeded: boolean }) => one.secondFactorNeeded)
    expect(needed.toSorted()).toEqual([false, true])
  })

  test("is an owner's choice, who must have one, and is in the audit log with before and after", async () => {
    const world = await newWorld()
    const cookie = await newSession(world.userId)
    expectProblem(await require(world, cookie, true), 409, "member.own_second_factor_missing")
    await setUpApp(cookie)
    const admin = await newMember(world, "admin")
    expectProblem(await require(world, admin.cookie, true), 403, "auth.permission_missing")
    expect((await require(world, cookie, true)).json).toEqual({ secondFactorRequired: true })
    expect((await require(world, cookie, true)).status).toBe(200)
    expect((await require(world, cookie, false)).json).toEqual({ secondFactorRequired: false })
    const { rows } = await pool().query<{ changes: unknown }>(
      "SELECT changes FROM audit_entries WHERE organization_id = $1 AND action = 'organization.member_policy_changed' ORDER BY id",
      [world.organizationId],
    )
    expect(rows.map(({ changes }) => changes)).toEqual([
      { secondFactorRequired: { from: false, to: true } },
      { secondFactorRequired: { from: true, to: false } },
    ])
  })
})

async function strictOrganization() {
  const world = await newWorld()
  const owner = await newSession(world.userId)
  await setUpApp(owner)
  expect((await require(world, owner, true)).status).toBe(200)
  return { world, owner }
}

function require(world: World, cookie: string, secondFactorRequired: boolean) {
  const call = { cookie, params: { projectId: world.project }, body: { secondFactorRequired } }
  return api("PATCH /v1/projects/{projectId}/members/policy", call)
}

async function setUpApp(cookie: string) {
  const { json } = await api("POST /v1/session/totp", { cookie })
  const body = { code: appCode(json.secret, "setting up") }
  expect((await api("POST /v1/session/totp/confirm", { cookie, body })).status).toBe(200)
}
