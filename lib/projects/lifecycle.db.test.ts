import { setTimeout as wait } from "node:timers/promises"
import { expectProblem } from "@/e2e/support/expect-problem"
import { describe, expect, test } from "vitest"
import { expectWithin } from "@/e2e/support/within"
import { addVerifiedDomain } from "@/e2e/support/examples"
import { api, newMember, newSession, newWorld, type World } from "@/e2e/support/world"
import type { Role } from "@/lib/access/permissions"
import { createDeliveryClaim } from "@/lib/delivery/queue/claims/data"
import { pool } from "@/lib/platform/database/db"
import { anHourAhead } from "@/e2e/support/platform/clocks"

const read = "GET /v1/projects/{projectId}"
const suspend = "POST /v1/projects/{projectId}/suspend"
const resume = "POST /v1/projects/{projectId}/resume"
const remove = "DELETE /v1/projects/{projectId}"
const restore = "POST /v1/projects/{projectId}/restore"
const dayMs = 24 * 3600_000
const mail = { from: "hello@acme.test", to: ["ada@lovelace.example"], subject: "Hello", text: "Hi" }

type Owned = World & { cookie: string; name: string; params: { projectId: string } }

async function owned(): Promise<Owned> {
  const world = await newWorld()
  const cookie = await newSession(world.userId)
  const params = { projectId: world.project }
  const { json } = await api(read, { cookie, params })
  return { ...world, cookie, params, name: json.name }
}

const deleted = ({ cookie, params, name }: Owned) => api(remove, { cookie, params, query: { name } })
const send = ({ apiKey }: World) => api("POST /v1/emails", { key: apiKey, body: mail })

async function audited({ organizationId }: World): Promise<string[]> {
  const { rows } = await pool().query<{ action: string }>(
    "SELECT action FROM audit_entries WHERE organization_id = $1 AND action LIKE 'project.%' ORDER BY id",
    [organizationId],
  )
  return rows.map(({ action }) => action)
}

/** Emails of the project that a worker would take now. */
async function claimable({ projectId }: World): Promise<number> {
  const taken = await createDeliveryClaim()({ region: "eu-west-1", limit: 500, leaseMs: 1_000 })
  return taken.filter((one) => one.projectId === projectId).length
}

/** Waits until what a process remembers of a key is gone. */
async function settled({ apiKey, params }: Owned, status: number) {
  await expectWithin(3_000, async () => (await api(read, { key: apiKey, params })).status, status)
}

describe("a suspended project", () => {
  test("refuses sends and shows why, and everything else works; resumed, it sends what waited", async () => {
    const world = await owned()
    await addVerifiedDomain(world)
    expect((await send(world)).status).toBe(201)
    const { json } = await api(suspend, {
      cookie: world.cookie,
      params: world.params,
      body: { reason: "A leaked key" },
    })
    expect(json).toMatchObject({ status: "suspended", suspensionReason: "A leaked key" })

    const refused = await send(world)
    expectProblem(refused, 422, "project.suspended")
    expect(await claimable(world)).toBe(0)
    const body = { email: "new@lovelace.example" }
    const added = await api("POST /v1/projects/{projectId}/contacts", { key: world.apiKey, params: world.params, body })
    expect(added.status).toBe(201)
    const { organizations } = (await api("GET /v1/session", { cookie: world.cookie })).json
    expect(organizations[0].projects[0]).toMatchObject({ status: "suspended", suspensionReason: "A leaked key" })

    const resumed = (await api(resume, { cookie: world.cookie, params: world.params })).json
    expect({ status: resumed.status, suspensionReason: resumed.suspensionReason }).toEqual({
      status: "active",
      suspensionReason: undefined,
    })
    expect((await send(world)).status).toBe(201)
    expect(await claimable(world)).toBe(2)
    expect(await audited(world)).toEqual(["project.suspended", "project.resumed"])
  })

  test("stays suspended for its first reason when it is suspended again, and an active one stays active when resumed", async () => {
    const world = await owned()
    const { cookie, params } = world
    expect((await api(resume, { cookie, params })).json.status).toBe("active")
    for (const reason of ["first", "second"]) {
      expect((await api(suspend, { cookie, params, body: { reason } })).json.suspensionReason).toBe("first")
    }
    expect(await audited(world)).toEqual(["project.suspended"])
  })
})

test("suspending and resuming a project change when it was last updated, and repeating either does not", async () => {
  const { cookie, params } = await owned()
  const updated = [(await api(read, { cookie, params })).json.updatedAt]
  for (const step of [suspend, suspend, resume, resume] as const) {
    await wait(5)
    updated.push((await api(step, { cookie, params, ...(step === suspend && { body: {} }) })).json.updatedAt)
  }
  const [first, suspended, again, resumed, last] = updated
  expect(suspended > first && resumed > suspended).toBe(true)
  expect([again, last]).toEqual([suspended, resumed])
})

describe("a deleted project", () => {
  test("is gone for everybody but its owners, who see until when they can restore it", async () => {
    const world = await owned()
    const { cookie: admin } = await newMember(world, "admin")
    const before = Date.now()
    const { status, json } = await anHourAhead(() => deleted(world))
    expect({ status, jsonStatus: json.status }).toEqual({ status: 200, jsonStatus: "deleting" })
    expect(Math.abs(Date.parse(json.removedAt) - before - 7 * dayMs)).toBeLessThan(60_000)

    expect((await api(read, { cookie: world.cookie, params: world.params })).status).toBe(404)
    expect((await api("GET /v1/projects", { cookie: world.cookie })).json.data).toEqual([])
    const seenBy = async (cookie: string) => (await api("GET /v1/session", { cookie })).json.organizations[0]
    expect(await seenBy(world.cookie)).toMatchObject({
      projects: [],
      deletedProjects: [{ id: world.project, name: world.name, removedAt: json.removedAt }],
    })
    expect(await seenBy(admin)).toMatchObject({ projects: [], deletedProjects: [] })
  })

  test("is not deleted with another name", async () => {
    const world = await owned()
    for (const query of [{ name: "Other" }, { name: world.name.toLowerCase() }, { name: "" }]) {
      const { status, json } = await api(remove, { cookie: world.cookie, params: world.params, query })
      expect({ status, pointer: json.errors[0].pointer }).toEqual({ status: 400, pointer: "query/name" })
    }
    expect((await api(remove, { cookie: world.cookie, params: world.params })).status).toBe(400)
    expect((await api(read, { cookie: world.cookie, params: world.params })).json.status).toBe("active")
    expect(await audited(world)).toEqual([])
  })

  test("accepts no send from that moment on, and its keys are refused within a second", async () => {
    const world = await owned()
    await addVerifiedDomain(world)
    expect((await send(world)).status).toBe(201)
    await deleted(world)
    expect([401, 422]).toContain((await send(world)).status)
    await settled(world, 401)
    const { status, json } = await send(world)
    expectProblem({ status, json }, 401, "auth.invalid_credentials")
    expect((await api("GET /v1/projects", { key: world.apiKey })).status).toBe(401)
  })

  test("beside many sends at once, what was accepted is kept, waits, and is sent after a restore", async () => {
    const world = await owned()
    await addVerifiedDomain(world)
    const answers = Promise.all(Array.from({ length: 60 }, () => send(world)))
    await deleted(world)
    const statuses = (await answers).map(({ status }) => status)
    for (const status of statuses) expect([201, 401, 422]).toContain(status)
    const accepted = statuses.filter((status) => status === 201).length
    const { rows } = await pool().query(
      "SELECT count(*)::int AS count FROM emails WHERE project_id = $1 AND status = 'queued'",
      [world.projectId],
    )
    expect(rows).toEqual([{ count: accepted }])
    expect(await claimable(world)).toBe(0)
    await api(restore, { cookie: world.cookie, params: world.params })
    expect(await claimable(world)).toBe(accepted)
  })

  test("is as it was once it is restored, a suspension included", async () => {
    const world = await owned()
    await api(suspend, { cookie: world.cookie, params: world.params, body: { reason: "Paused" } })
    await deleted(world)
    await settled(world, 401)
    const { status, json } = await api(restore, { cookie: world.cookie, params: world.params })
    expect({
      status,
      jsonStatus: json.status,
      suspensionReason: json.suspensionReason,
      removedAt: json.removedAt,
    }).toEqual({ status: 200, jsonStatus: "suspended", suspensionReason: "Paused", removedAt: undefined })
    await settled(world, 200)
    expect((await api(restore, { cookie: world.cookie, params: world.params })).json).toEqual(json)
    expect(await audited(world)).toEqual(["project.suspended", "project.deleted", "project.restored"])
  })

  test("cannot be restored after 7 days, by the database's clock", async () => {
    const world = await owned()
    await deleted(world)
    const age = (by: string) =>
      pool().query(`UPDATE projects SET deleted_at = now() - interval '7 days' + interval '${by}' WHERE id = $1`, [
        world.projectId,
      ])
    await age("-1 second")
    expect((await api(restore, { cookie: world.cookie, params: world.params })).status).toBe(404)
    expect((await api("GET /v1/session", { cookie: world.cookie })).json.organizations[0].deletedProjects).toEqual([])
    await age("1 minute")
    const { status } = await anHourAhead(() => api(restore, { cookie: world.cookie, params: world.params }))
    expect(status).toBe(200)
  })

  test("keeps its slug, and may have been the organization's last", async () => {
    const world = await owned()
    const { slug } = (await api(read, { cookie: world.cookie, params: world.params })).json
    await deleted(world)
    const create = (wanted: string) =>
      api("POST /v1/projects", { cookie: world.cookie, body: { name: "Next", slug: wanted, region: "eu-west-1" } })
    expect((await create(slug)).json.code).toBe("project.slug_taken")
    expect((await create("next")).status).toBe(201)
  })
})

describe.each([
  ["suspend", suspend, {}],
  ["resume", resume, undefined],
  ["delete", remove, undefined],
  ["restore", restore, undefined],
] as const)("%s is for owners:", (_, route, body) => {
  const call = (world: Owned) => ({
    params: world.params,
    ...(body && { body }),
    ...(route === remove && { query: { name: world.name } }),
  })

  test.each(["admin", "developer", "viewer"] as Role[])("a member who is %s gets 403", async (role) => {
    const world = await owned()
    if (route === restore) await deleted(world)
    const { status, json } = await api(route, { ...call(world), cookie: (await newMember(world, role)).cookie })
    expectProblem({ status, json }, 403, "auth.permission_missing")
  })

  test("the owner of another organization gets 404, and a key 403 whatever its permissions", async () => {
    const [world, other] = [await owned(), await owned()]
    expect((await api(route, { ...call(world), cookie: other.cookie })).json.code).toBe("project.not_found")
    expect((await api(route, { ...call(world), key: world.apiKey })).json.code).toBe("auth.session_required")
    expect((await api(read, { cookie: world.cookie, params: world.params })).json.status).toBe("active")
  })
})
